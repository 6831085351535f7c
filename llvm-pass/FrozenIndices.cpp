// FrozenIndices.cpp: see FrozenIndices.h.
#include "FrozenIndices.h"
#include "WideIndices.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// Whether loops within `loop` use it, or what is computed from it.
bool isUsedInInnerLoop(Instruction &address, const Loop &loop, const LoopInfo &loops) {
  SetVector<Instruction *, SmallVector<Instruction *, 8>, SmallPtrSet<Instruction *, 8>> work;
  work.insert(&address);
  for (std::size_t i = 0; i < work.size(); ++i)
    for (User *each : work[i]->users()) {
      auto *user = cast<Instruction>(each);
      const Loop *around = loops.getLoopFor(user->getParent());
      if (around != &loop && loop.contains(around))
        return true;
      if (isa<GetElementPtrInst>(user))
        work.insert(user);
    }
  return false;
}

bool changesInOuterLoop(GetElementPtrInst &address, const LoopInfo &loops) {
  const Loop *loop = loops.getLoopFor(address.getParent());
  return loop && !loop->isInnermost() &&
         any_of(address.indices(),
                [&](const Use &index) { return !loop->isLoopInvariant(index); }) &&
         isUsedInInnerLoop(address, *loop, loops);
}

} // namespace

PreservedAnalyses FrozenIndicesPass::run(Function &function, FunctionAnalysisManager &analyses) {
  const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  bool changed = false;
  for (Instruction &instruction : instructions(function)) {
    auto *address = dyn_cast<GetElementPtrInst>(&instruction);
    if (!address || !hasWideIndex(*address) || !changesInOuterLoop(*address, loops))
      continue;
    IRBuilder<> builder(address);
    for (Use &index : address->indices())
      if (!isa<Constant>(index))
        index.set(builder.CreateFreeze(index));
    changed = true;
  }
  PreservedAnalyses preserved = changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace ompdsm
