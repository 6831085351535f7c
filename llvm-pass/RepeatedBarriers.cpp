// RepeatedBarriers.cpp: finds them backwards from each barrier.
#include "RepeatedBarriers.h"
#include "OpenMPEntries.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ompdsm {

namespace {

/// Whether it makes no difference on which side of a barrier it is done.
bool isIndifferent(const Instruction &instruction) {
  const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  return (intrinsic && intrinsic->isAssumeLikeIntrinsic()) || // lifetimes, and of the debugger
         (!isa<CallBase>(instruction) && !instruction.mayReadOrWriteMemory());
}

/// Whether the team has just met behind the instruction `last` of the block, by whatever way control
/// has come there. `known` are the blocks that were looked at, whole.
bool hasJustMet(BasicBlock::reverse_iterator last, BasicBlock &block,
                SmallPtrSet<const BasicBlock *, 8> &known) {
  for (const Instruction &instruction : make_range(last, block.rend())) {
    if (const auto *call = dyn_cast<CallBase>(&instruction); call && isTeamBarrier(*call))
      return true;
    if (!isIndifferent(instruction))
      return false;
  }
  if (pred_empty(&block) || !known.insert(&block).second)
    return false;
  return all_of(predecessors(&block), [&](BasicBlock *from) {
    return hasJustMet(from->rbegin(), *from, known);
  });
}

} // namespace

bool eraseRepeatedBarriers(Module &module) {
  SmallVector<CallBase *, 8> repeated;
  Function *barrier = module.getFunction("__kmpc_barrier");
  if (!barrier || !barrier->isDeclaration())
    return false;
  for (User *user : barrier->users()) {
    auto *call = dyn_cast<CallInst>(user);
    if (!call || call->getCalledOperand() != barrier)
      continue;
    SmallPtrSet<const BasicBlock *, 8> known;
    if (hasJustMet(std::next(call->getReverseIterator()), *call->getParent(), known))
      repeated.push_back(call);
  }
  for (CallBase *call : repeated)
    call->eraseFromParent();
  return !repeated.empty();
}

} // namespace ompdsm
