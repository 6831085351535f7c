// HoistingRemarks.cpp: see HoistingRemarks.h.
#include "HoistingRemarks.h"
#include "Compat.h"
#include "Sections.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// A loop attribute.
constexpr const char *kCheckedCopy = "ompdsm.checked.copy";

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

void HoistingRemarks::sayInCopy(const Instruction &access, const Loop &loop) {
  emitter_.emit([&] {
    OptimizationRemark remark(kPluginName, "CheckOfObject", &access);
    remark << "no check if all of the object is valid in front of the loop";
    addLoop(remark, loop);
    return remark;
  });
}

void HoistingRemarks::sayLeft(const Instruction &access, const Loop *innermost,
                              const char *reason) {
  if (innermost && findStringMetadataForLoop(innermost, kCheckedCopy))
    return;
  emitter_.emit([&] {
    return OptimizationRemarkMissed(kPluginName, "CheckInLoop", &access)
           << "check stays in the loop: " << reason;
  });
}

void markAsCheckedCopy(Loop &loop) { addStringMetadataToLoop(&loop, kCheckedCopy); }

} // namespace ompdsm
