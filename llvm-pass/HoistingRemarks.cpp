// HoistingRemarks.cpp: see HoistingRemarks.h.
#include "HoistingRemarks.h"
#include "CheckedCopies.h"
#include "Compat.h"
#include "Sections.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"

using namespace llvm;

namespace ompdsm {
namespace {

void addLoop(OptimizationRemark &remark, const Loop &loop) {
  if (const DebugLoc place = loop.getStartLoc())
    remark << " of line " << ore::NV("Line", place.getLine());
}

} // namespace

void HoistingRemarks::sayHoisted(const Instruction &access, const Section &section) {
  emitter_.emit([&] {
    OptimizationRemark remark(kPluginName, "CheckHoisted", &access);
    remark << "check moved in front of the loop";
    addLoop(remark, *section.loop);
    if (section.stoppedBy)
      remark << "; no further: " << section.stoppedBy;
    return remark;
  });
}

void HoistingRemarks::sayOfObject(const Instruction &access, const Loop &loop) {
  emitter_.emit([&] {
    OptimizationRemark remark(kPluginName, "CheckOfObject", &access);
    remark << "no check if all of the object is valid in front of the loop";
    addLoop(remark, loop);
    return remark;
  });
}

void HoistingRemarks::sayLeft(const Instruction &access, const Loop *innermost,
                              const char *reason) {
  if (innermost && isCheckedCopy(*innermost))
    return;
  emitter_.emit([&] {
    return OptimizationRemarkMissed(kPluginName, "CheckInLoop", &access)
           << "check stays in the loop: " << reason;
  });
}

} // namespace ompdsm
