// SynchronisationPoints.cpp: calls, atomics and fences.
#include "SynchronisationPoints.h"
#include "Compat.h"
#include "OpenMPEntries.h"
#include "QuietFunctions.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace ompdsm {

namespace {

/// Calls of library functions that take no callback and wait for nobody: what touches only its
/// arguments, the allocator's own state and errno (the memory, string and mathematical functions;
/// LLVM has inferred that from the name), and allocation itself.
bool isQuietLibraryCall(const CallBase &call, const TargetLibraryInfo &library) {
  LibFunc function;
  const Function *callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration() || !library.getLibFunc(*callee, function) ||
      !library.has(function))
    return false;
  // Where an object grows in place, the optimiser may go on with the old pointer, but an answer
  // about the object was about its old extent.
  if (callee->getName().starts_with("realloc")) // reallocarray, too, which not all versions know
    return false;
  for (const Use &argument : call.args()) // qsort, bsearch, atexit
    if (isa<Function>(argument->stripPointerCasts()))
      return false;
  return withoutErrno(call.getMemoryEffects())
      .getWithoutLoc(IRMemLocation::ArgMem)
      .getWithoutLoc(IRMemLocation::InaccessibleMem)
      .doesNotAccessMemory();
}

/// Intrinsics without nosync that still wait for nobody. Target intrinsics, which include hardware
/// fences, are not among them.
bool isQuietIntrinsic(const IntrinsicInst &intrinsic) {
  if (isa<AnyMemIntrinsic>(intrinsic) || intrinsic.isAssumeLikeIntrinsic())
    return true;
  switch (intrinsic.getIntrinsicID()) {
  case kMemsetPattern:
  case Intrinsic::vastart:
  case Intrinsic::vacopy:
  case Intrinsic::vaend:
  case Intrinsic::stacksave:
  case Intrinsic::stackrestore:
    return true;
  default:
    return false;
  }
}

} // namespace

bool maySynchronise(const Instruction &instruction, const TargetLibraryInfo &library) {
  if (isa<FenceInst>(instruction) || instruction.isAtomic())
    return true;
  auto *call = dyn_cast<CallBase>(&instruction);
  if (!call)
    return false;
  // A function without side effects cannot synchronise: its author or LLVM vouches for that.
  if (call->onlyReadsMemory() && !call->isConvergent())
    return false;
  if (call->isInlineAsm()) // May be a fence or an atomic instruction.
    return true;
  if (call->hasFnAttr(Attribute::NoSync))
    return false;
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(call))
    return !isQuietIntrinsic(*intrinsic);
  if (const Function *callee = call->getCalledFunction(); callee && isQuietFunction(*callee))
    return false;
  return !isQuietOpenMPEntry(*call) && !isQuietLibraryCall(*call, library);
}

} // namespace ompdsm
