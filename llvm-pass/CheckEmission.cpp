// CheckEmission.cpp: chooses the form of each check.
#include "CheckEmission.h"
#include "CheckBuilder.h"
#include "LaneChecks.h"
#include "ompdsm/abi.h"

using namespace llvm;

namespace ompdsm {

namespace {

Insertion insertionOf(const Access &access) {
  bool isWrite = access.isWrite;
  switch (access.shape) {
  case Access::Shape::Fixed:
    if (access.bytes <= OMPDSM_LINE_BYTES)
      return isWrite ? Insertion::WriteCheck : Insertion::ReadCheck;
    [[fallthrough]];
  case Access::Shape::Range:
    return isWrite ? Insertion::RangeWrite : Insertion::RangeRead;
  case Access::Shape::MaskedRun:
  case Access::Shape::Compressed:
  case Access::Shape::Scattered:
    return isWrite ? Insertion::LaneWrite : Insertion::LaneRead;
  }
  llvm_unreachable("not a shape");
}

} // namespace

void emitChecks(ArrayRef<Access> accesses, const RuntimeCallees &callees, ReadableRuns &runs,
                InstrumentationReport &report, bool moreOptimisation) {
  CheckBuilder checks(callees, runs, moreOptimisation);
  SmallVector<Value *, 32> pointers;
  for (const Access &access : accesses)
    if (access.shape == Access::Shape::Fixed)
      pointers.push_back(access.pointer);
  checks.keepAddresses(pointers);
  // Backwards: a split moves the rest of its block, which is then short.
  for (const Access &access : reverse(accesses)) {
    report.inserted(*access.instruction, insertionOf(access));
    switch (access.shape) {
    case Access::Shape::Fixed:
      checks.checkFixed(access.instruction, access.pointer, access.bytes, access.alignment,
                        access.isWrite);
      break;
    case Access::Shape::Range:
      if (access.isOverwrite)
        checks.checkOverwrite(access.instruction, access.pointer, access.length);
      else
        checks.checkRange(access.instruction, access.pointer, access.length, access.isWrite);
      break;
    case Access::Shape::MaskedRun:
    case Access::Shape::Compressed:
    case Access::Shape::Scattered:
      emitLaneCheck(access, checks);
      break;
    }
  }
}

} // namespace ompdsm
