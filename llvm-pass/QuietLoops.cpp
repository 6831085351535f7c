// QuietLoops.cpp: see QuietLoops.h.
#include "QuietLoops.h"
#include "CoveredAccesses.h"
#include "PassOptions.h"
#include "SynchronisationPoints.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;

namespace ompdsm {

QuietLoops findQuietLoops(const LoopInfo &loops, const TargetLibraryInfo &library) {
  QuietLoops quiet;
  for (const Loop *loop : loops.getLoopsInPreorder())
    if (none_of(loop->blocks(), [&](const BasicBlock *block) {
          return any_of(*block, [&](const Instruction &instruction) {
            return maySynchronise(instruction, library);
          });
        }))
      quiet.insert(loop);
  return quiet;
}

SmallVector<Access, 32> uncoveredAccesses(Function &function, const TargetLibraryInfo &library) {
  InstrumentationReport unreported(/*detailed=*/false);
  SharedPointerAnalysis shared;
  SmallVector<Access, 32> accesses = collectAccesses(function, shared, library, unreported);
  erase_if(accesses, [](const Access &access) {
    return access.shape != Access::Shape::Fixed || !isa<LoadInst, StoreInst>(access.instruction) ||
           access.instruction->hasMetadata(LLVMContext::MD_invariant_load) ||
           isCovered(*access.instruction);
  });
  return accesses;
}

bool isHoistingSwitchedOff(const Module &module) {
  return PassOptions::isSet(module, &PassOptions::noHoist);
}

} // namespace ompdsm
