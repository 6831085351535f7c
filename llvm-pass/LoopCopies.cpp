// LoopCopies.cpp: the copying, and the choice in front of it.
#include "LoopCopies.h"
#include "CheckedCopies.h"
#include "Compat.h"
#include "CoveredAccesses.h"
#include "HoistingRemarks.h"
#include "LoopLocals.h"
#include "LoopPlans.h"
#include "ModuleInstrumentation.h"
#include "QuietLoops.h"
#include "ReadableRuns.h"
#include "RepeatedQuestions.h"
#include "UncheckedClones.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// Fewer iterations than these are not worth a question.
constexpr unsigned kFewIterations = 8;
constexpr unsigned kPageBytes = 4096;

/// An object of which the loop with checks may know a part that is readable.
struct PartlyRead {
  Value *pointer;             ///< In front of the loops.
  ArrayRef<LoadInst *> loads; ///< Where the loop with checks loads it, unless it is from outside.
};

/// Emits conditions, each in a block of its own that is reached if those before hold; otherwise the
/// loop with checks runs.
class Chooser {
public:
  /// `entry` ends with a branch to `otherwise`, the preheader of that loop.
  Chooser(BasicBlock *entry, BasicBlock *otherwise, const Loop &loop, LoopInfo &loops)
      : builder_(entry->getTerminator()), otherwise_(otherwise), loop_(loop), loops_(loops) {
    builder_.SetCurrentDebugLocation(loop.getStartLoc());
  }
  IRBuilder<> &builder() { return builder_; }
  void require(Value *condition) {
    BasicBlock *next = newBlock("ask");
    branch(condition, next, otherwise_);
    builder_.SetInsertPoint(next);
  }
  /// The last one, if the loop runs as often as is worth a question.
  void finish(Value *condition, BasicBlock *target, ArrayRef<PartlyRead> objects,
              const RuntimeCallees &callees) {
    BasicBlock *block = otherwise_;
    if (!objects.empty()) {
      block = newBlock("partly");
      IRBuilder<> asker(block);
      asker.SetCurrentDebugLocation(loop_.getStartLoc());
      for (const PartlyRead &object : objects)
        askForRun(asker, object.pointer, object.loads, callees);
      asker.CreateBr(otherwise_);
    }
    branch(condition, target, block);
  }

private:
  BasicBlock *newBlock(const char *name) {
    Function *function = otherwise_->getParent();
    auto *block = BasicBlock::Create(function->getContext(), name, function, otherwise_);
    if (Loop *around = loop_.getParentLoop())
      around->addBasicBlockToLoop(block, loops_);
    return block;
  }
  void branch(Value *condition, BasicBlock *target, BasicBlock *otherwise) {
    BasicBlock *block = builder_.GetInsertBlock();
    Instruction *old = block->getTerminator();
    builder_.CreateCondBr(condition, target, otherwise);
    if (old)
      old->eraseFromParent();
  }

  IRBuilder<> builder_;
  BasicBlock *otherwise_;
  const Loop &loop_;
  LoopInfo &loops_;
};

class Copier {
public:
  Copier(Function &function, FunctionAnalysisManager &analyses)
      : loops_(analyses.getResult<LoopAnalysis>(function)),
        dominators_(analyses.getResult<DominatorTreeAnalysis>(function)),
        evolution_(analyses.getResult<ScalarEvolutionAnalysis>(function)),
        expander_(makeExpander(evolution_, function.getParent()->getDataLayout())),
        callees_(*function.getParent()) {}

  void copy(LoopPlan &plan) {
    Loop &loop = *plan.loop;
    BasicBlock *entry = loop.getLoopPreheader();
    Value *repetitions = nullptr;
    if (plan.repetitions)
      repetitions = expander_.expandCodeFor(plan.repetitions, plan.repetitions->getType(),
                                            entry->getTerminator()->getIterator());
    AccessBounds bounds(loop, entry->getTerminator(), evolution_, expander_);
    for (ObjectCheck &object : plan.objects)
      object.bound(bounds, originsOf(object, plan));
    BasicBlock *question =
        SplitBlock(entry, entry->getTerminator(), &dominators_, &loops_, nullptr, "question");
    markQuestion(loop, *question);
    BasicBlock *preheader =
        SplitBlock(question, question->getTerminator(), &dominators_, &loops_, nullptr, "checked");
    ValueToValueMapTy copies;
    cloneLoopLocals(loop, dominators_, copies);
    Loop *copy = clone(loop, question, preheader, copies);
    for (Instruction *access : plan.accesses)
      release(*cast<Instruction>(copies.lookup(access)));
    for (Loop *checked : loop.getLoopsInPreorder())
      markAsCheckedCopy(*checked);

    Chooser chooser(question, preheader, loop, loops_);
    IRBuilder<> &builder = chooser.builder();
    if (repetitions)
      chooser.require(builder.CreateICmpUGE(
          repetitions, ConstantInt::get(repetitions->getType(), kFewIterations - 1)));
    SmallVector<PartlyRead, kMostRuns> partly = readFromOutside(plan, *question);
    loadPointers(plan, chooser, copies, partly);
    chooser.finish(emitObjectChecks(plan.objects, builder, callees_), copy->getLoopPreheader(),
                   partly, callees_);
    // An exit is reached from two loops now.
    dominators_.recalculate(*entry->getParent());
  }

private:
  static SmallVector<Value *, 4> originsOf(const ObjectCheck &object, const LoopPlan &plan) {
    for (const InvariantPointer &pointer : plan.pointers)
      if (pointer.loads.front() == object.pointer)
        return {pointer.loads.begin(), pointer.loads.end()};
    return {object.pointer};
  }

  /// Objects that the loop reads by pointers from outside, if they are few: each takes registers.
  SmallVector<PartlyRead, kMostRuns> readFromOutside(const LoopPlan &plan,
                                                     const BasicBlock &entry) const {
    SmallVector<PartlyRead, kMostRuns> objects;
    for (const ObjectCheck &object : plan.objects)
      if (!object.isWrite && dominators_.dominates(object.pointer, entry.getTerminator()))
        objects.push_back({object.pointer, {}});
    if (objects.size() > kMostRuns)
      objects.clear();
    return objects;
  }

  /// From its check; or from its callee's.
  static void release(Instruction &access) {
    if (auto *call = dyn_cast<CallBase>(&access))
      call->setCalledFunction(uncheckedCloneOf(*call));
    else
      markCovered(access);
  }

  /// `preheader` is the loop's. The exits' values come from both loops.
  Loop *clone(Loop &loop, BasicBlock *entry, BasicBlock *preheader, ValueToValueMapTy &copies) {
    SmallVector<BasicBlock *, 4> exits;
    loop.getUniqueExitBlocks(exits);
    SmallVector<BasicBlock *, 16> blocks;
    Loop *copy = cloneLoopWithPreheader(preheader, entry, &loop, copies, ".unchecked", &loops_,
                                        &dominators_, blocks);
    remapInstructionsInBlocks(blocks, copies);
    for (BasicBlock *exit : exits)
      for (PHINode &phi : exit->phis())
        for (unsigned i = 0, count = phi.getNumIncomingValues(); i < count; ++i)
          if (loop.contains(phi.getIncomingBlock(i))) {
            Value *value = phi.getIncomingValue(i);
            if (Value *copied = copies.lookup(value))
              value = copied;
            phi.addIncoming(value, cast<BasicBlock>(copies.lookup(phi.getIncomingBlock(i))));
          }
    return copy;
  }

  /// Pointers that the loop loads are loaded in front of the copy, if they are on a page that was
  /// accessed or in shared memory, and valid. Objects that are read by them are added to `partly`,
  /// if these are few.
  void loadPointers(LoopPlan &plan, Chooser &chooser, ValueToValueMapTy &copies,
                    SmallVectorImpl<PartlyRead> &partly) {
    if (plan.pointers.empty())
      return;
    IRBuilder<> &builder = chooser.builder();
    const auto number = [&](Value *pointer) {
      return builder.CreatePtrToInt(pointer, builder.getInt64Ty());
    };
    Value *samePage = builder.getTrue();
    for (const InvariantPointer &pointer : plan.pointers)
      if (pointer.witness && pointer.witness != pointer.address)
        samePage = builder.CreateAnd(
            samePage, builder.CreateICmpULT(
                          builder.CreateXor(number(pointer.address), number(pointer.witness)),
                          builder.getInt64(kPageBytes)));
    if (!isa<Constant>(samePage))
      chooser.require(samePage);
    Value *answers = builder.getInt32(1);
    for (const InvariantPointer &pointer : plan.pointers) {
      const Callee question =
          pointer.witness ? Callee::__ompdsm_range_readable : Callee::__ompdsm_shared_readable;
      answers = builder.CreateAnd(
          answers,
          callees_.call(builder, question, {pointer.address, builder.getInt64(sizeof(void *))}));
    }
    chooser.require(builder.CreateICmpNE(answers, builder.getInt32(0)));
    for (const InvariantPointer &pointer : plan.pointers) {
      LoadInst *first = pointer.loads.front();
      LoadInst *load =
          builder.CreateAlignedLoad(first->getType(), pointer.address, first->getAlign());
      markCovered(*load);
      // Not frozen, though a loop that never uses it may leave it uninitialised: the question may
      // be about anything then. Of a plain load alias analysis knows that it is no stack object of
      // this function whose address is not kept.
      for (ObjectCheck &object : plan.objects)
        if (object.pointer == first) {
          object.pointer = load;
          if (!object.isWrite && partly.size() < kMostRuns)
            partly.push_back({load, pointer.loads});
        }
      for (LoadInst *other : pointer.loads) {
        auto *copied = cast<Instruction>(copies.lookup(other));
        copied->replaceAllUsesWith(load);
        copied->eraseFromParent();
      }
    }
  }

  LoopInfo &loops_;
  DominatorTree &dominators_;
  ScalarEvolution &evolution_;
  SCEVExpander expander_;
  const RuntimeCallees callees_;
};

} // namespace

PreservedAnalyses LoopCopiesPass::run(Function &function, FunctionAnalysisManager &analyses) {
  if (analyses.getResult<LoopAnalysis>(function).empty() || !wantsInstrumentation(function) ||
      isHoistingSwitchedOff(*function.getParent()))
    return PreservedAnalyses::all();
  SmallVector<LoopPlan, 4> plans = planLoopCopies(function, analyses);
  if (plans.empty())
    return PreservedAnalyses::all();
  HoistingRemarks remarks(analyses.getResult<OptimizationRemarkEmitterAnalysis>(function));
  Copier copier(function, analyses);
  for (LoopPlan &plan : plans) {
    for (const Instruction *access : plan.accesses)
      remarks.sayOfObject(*access, *plan.loop);
    copier.copy(plan);
  }
  return PreservedAnalyses::none();
}

} // namespace ompdsm
