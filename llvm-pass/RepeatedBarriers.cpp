// RepeatedBarriers.cpp: looks backwards from each barrier.
#include "RepeatedBarriers.h"
#include "OpenMPEntries.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <utility>

using namespace llvm;

namespace ompdsm {

namespace {

/// Whether all that it is for is an argument of the call: the thread's number, which is loaded.
bool isForAlone(const Instruction &instruction, const CallInst &call) {
  const auto *load = dyn_cast<LoadInst>(&instruction);
  if (!load || !load->isSimple() || !load->hasOneUse())
    return false;
  const auto *user = cast<Instruction>(*load->user_begin());
  return user == &call || isForAlone(*user, call);
}

/// Whether it makes no difference on which side of the barrier it is done.
bool isIndifferent(const Instruction &instruction, const CallInst &barrier) {
  const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  return (intrinsic && intrinsic->isAssumeLikeIntrinsic()) || // lifetimes, and of the debugger
         (!isa<CallBase>(instruction) && !instruction.mayReadOrWriteMemory()) ||
         isForAlone(instruction, barrier);
}

/// What is known of the way back from a barrier.
enum class Way { Met, NotMet, Open }; ///< Open: what precedes the block decides.

/// Of the instructions of a block from `last` back to its beginning.
Way wayThrough(BasicBlock &block, BasicBlock::reverse_iterator last, const CallInst &barrier) {
  for (const Instruction &instruction : make_range(last, block.rend())) {
    if (const auto *call = dyn_cast<CallBase>(&instruction); call && isTeamBarrier(*call))
      return Way::Met;
    if (!isIndifferent(instruction, barrier))
      return Way::NotMet;
  }
  return pred_empty(&block) ? Way::NotMet : Way::Open;
}

/// Whether the team has just met at the end of the block, by whatever way control has come there.
/// `known` are the blocks that were looked at, and that of the barrier, which does not precede
/// itself.
bool hasJustMet(BasicBlock &block, const CallInst &barrier,
                SmallPtrSet<const BasicBlock *, 8> &known) {
  if (!known.insert(&block).second)
    return false;
  const Way way = wayThrough(block, block.rbegin(), barrier);
  return way == Way::Met ||
         (way == Way::Open && all_of(predecessors(&block), [&](BasicBlock *from) {
            return hasJustMet(*from, barrier, known);
          }));
}

/// A barrier as this one, on the way from one block to the other.
void meetBetween(BasicBlock &from, BasicBlock &to, const CallInst &barrier) {
  Instruction *end = from.getTerminator();
  if (end->getNumSuccessors() != 1)
    end = SplitEdge(&from, &to)->getTerminator();
  IRBuilder<> builder(end);
  builder.SetCurrentDebugLocation(barrier.getDebugLoc());
  Value *location = barrier.getArgOperand(0);
  const FunctionCallee number = from.getModule()->getOrInsertFunction(
      "__kmpc_global_thread_num", builder.getInt32Ty(), builder.getPtrTy());
  builder.CreateCall(const_cast<CallInst &>(barrier).getFunctionType(), barrier.getCalledOperand(),
                     {location, builder.CreateCall(number, {location})});
}

/// Whether the barrier may move to the way from `from`, the only one on which nobody has met: if it
/// skips what precedes the barrier otherwise. Then all threads skip that, or none does, as one
/// would meet once more than another else. Where ways differ behind a barrier (only who has had the
/// last iteration stores its value), threads may differ, too.
bool maySkip(BasicBlock &from, CallInst &barrier) {
  BasicBlock &block = *barrier.getParent();
  return &from != &block && isa<BranchInst>(from.getTerminator()) &&
         isa<Constant>(barrier.getArgOperand(0)) &&
         DominatorTree(*block.getParent()).dominates(&from, &block);
}

/// True if the barrier is not needed where it is; it still stands there.
bool isRepeated(CallInst &barrier) {
  BasicBlock &block = *barrier.getParent();
  const Way way = wayThrough(block, std::next(barrier.getReverseIterator()), barrier);
  if (way != Way::Open)
    return way == Way::Met;
  bool anyMet = false;
  BasicBlock *skipping = nullptr;
  for (BasicBlock *from : predecessors(&block)) {
    SmallPtrSet<const BasicBlock *, 8> known{&block};
    if (hasJustMet(*from, barrier, known))
      anyMet = true;
    else if (std::exchange(skipping, from) || !maySkip(*from, barrier))
      return false;
  }
  if (anyMet && skipping)
    meetBetween(*skipping, block, barrier);
  return anyMet;
}

} // namespace

bool eraseRepeatedBarriers(Module &module) {
  Function *function = module.getFunction("__kmpc_barrier");
  if (!function || !function->isDeclaration())
    return false;
  SmallVector<CallInst *, 8> barriers;
  for (User *user : function->users())
    if (auto *call = dyn_cast<CallInst>(user); call && call->getCalledOperand() == function)
      barriers.push_back(call);
  bool changed = false;
  for (CallInst *barrier : barriers)
    if (isRepeated(*barrier)) {
      barrier->eraseFromParent();
      changed = true;
    }
  return changed;
}

} // namespace ompdsm
