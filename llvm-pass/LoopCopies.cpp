// LoopCopies.cpp: which loops are copied, and the copying.
#include "LoopCopies.h"
#include "Compat.h"
#include "CoveredAccesses.h"
#include "HoistingRemarks.h"
#include "ModuleInstrumentation.h"
#include "ObjectChecks.h"
#include "PassOptions.h"
#include "SectionChecks.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// Of a copied loop, and of one function together. Larger ones are rarely as hot as they are long.
constexpr unsigned kMaxInstructions = 2000, kMaxInstructionsOfFunction = 8000;
/// Questions to the runtime in front of one loop.
constexpr unsigned kMaxObjects = 12;
/// A loop that is known to be as short as this is not worth a question.
constexpr unsigned kFewIterations = 8;

/// What is known of a loop that is to be copied.
struct Plan {
  Loop *loop;
  SmallVector<ObjectCheck, 4> objects;
  SmallVector<Instruction *, 16> accesses; ///< Those that need no check in the copy.
};

unsigned sizeOf(const Loop &loop) {
  unsigned size = 0;
  for (const BasicBlock *block : loop.blocks())
    size += unsigned(block->sizeWithoutDebug());
  return size;
}

class Planner {
public:
  Planner(Function &function, FunctionAnalysisManager &analyses)
      : loops_(analyses.getResult<LoopAnalysis>(function)),
        dominators_(analyses.getResult<DominatorTreeAnalysis>(function)),
        evolution_(analyses.getResult<ScalarEvolutionAnalysis>(function)),
        library_(analyses.getResult<TargetLibraryAnalysis>(function)),
        quiet_(findQuietLoops(loops_, library_)), sections_(evolution_, dominators_, quiet_),
        expander_(makeExpander(evolution_, function.getParent()->getDataLayout())) {
    if (!quiet_.empty())
      accesses_ = uncoveredAccesses(function, library_);
  }

  SmallVector<Plan, 4> plan() {
    SmallVector<Plan, 4> plans;
    if (!accesses_.empty())
      for (Loop *loop : loops_)
        planWithin(*loop, plans);
    return plans;
  }

private:
  /// The outermost loops that are worth a copy; loops within a copied one are copied with it.
  void planWithin(Loop &loop, SmallVectorImpl<Plan> &plans) {
    if (quiet_.contains(&loop) && mayCopy(loop)) {
      Plan plan = planFor(loop);
      const unsigned size = sizeOf(loop);
      if (!plan.accesses.empty() && size <= room_) {
        room_ -= size;
        plans.push_back(std::move(plan));
        return;
      }
    }
    for (Loop *inner : loop)
      planWithin(*inner, plans);
  }

  bool mayCopy(const Loop &loop) {
    if (!loop.isLoopSimplifyForm() || !loop.isSafeToClone() ||
        !loop.isRecursivelyLCSSAForm(dominators_, loops_) || sizeOf(loop) > kMaxInstructions)
      return false;
    const unsigned iterations = evolution_.getSmallConstantMaxTripCount(&loop);
    return !loop.isInnermost() || iterations == 0 || iterations > kFewIterations;
  }

  Plan planFor(Loop &loop) {
    Plan plan{&loop, {}, {}};
    for (const Access &access : accesses_) {
      Instruction &instruction = *access.instruction;
      if (!loop.contains(&instruction) || isInSection(access, loop))
        continue;
      const auto objects = findObjects(*access.pointer, loop, loops_, access.isWrite);
      if (!objects || !addObjects(*objects, plan.objects))
        continue;
      plan.accesses.push_back(&instruction);
    }
    return plan;
  }

  /// A section in front of this very loop will do.
  bool isInSection(const Access &access, Loop &loop) {
    Instruction &instruction = *access.instruction;
    const Section section = sections_.of(instruction, access.pointer, access.bytes,
                                         loops_.getLoopFor(instruction.getParent()));
    return section.loop && section.loop->contains(&loop) && canEmit(section, expander_);
  }

  static bool addObjects(ArrayRef<ObjectCheck> objects, SmallVectorImpl<ObjectCheck> &all) {
    SmallVector<ObjectCheck, 4> more(all.begin(), all.end());
    for (const ObjectCheck &object : objects) {
      auto *known =
          find_if(more, [&](const ObjectCheck &other) { return other.pointer == object.pointer; });
      if (known == more.end())
        more.push_back(object);
      else
        known->isWrite |= object.isWrite;
    }
    if (more.size() > kMaxObjects)
      return false;
    all = std::move(more);
    return true;
  }

  LoopInfo &loops_;
  const DominatorTree &dominators_;
  ScalarEvolution &evolution_;
  const TargetLibraryInfo &library_;
  const QuietLoops quiet_;
  const SectionAnalysis sections_;
  SCEVExpander expander_;
  SmallVector<Access, 32> accesses_;
  unsigned room_ = kMaxInstructionsOfFunction;
};

/// Makes the copy, which the loop's old preheader chooses if `condition` holds. The exits' values
/// come from both.
void copyLoop(Plan &plan, LoopInfo &loops, DominatorTree &dominators,
              const RuntimeCallees &callees) {
  Loop &loop = *plan.loop;
  SmallVector<BasicBlock *, 4> exits;
  loop.getUniqueExitBlocks(exits);
  BasicBlock *chooser = loop.getLoopPreheader();
  BasicBlock *preheader =
      SplitBlock(chooser, chooser->getTerminator(), &dominators, &loops, nullptr, "checked");
  ValueToValueMapTy copies;
  SmallVector<BasicBlock *, 16> blocks;
  Loop *copy = cloneLoopWithPreheader(preheader, chooser, &loop, copies, ".unchecked", &loops,
                                      &dominators, blocks);
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
  for (Instruction *access : plan.accesses)
    markCovered(*cast<Instruction>(copies.lookup(access)));
  for (Loop *checked : loop.getLoopsInPreorder())
    markAsCheckedCopy(*checked);

  Instruction *branch = chooser->getTerminator();
  IRBuilder<> builder(branch);
  builder.SetCurrentDebugLocation(loop.getStartLoc());
  Value *condition = emitObjectChecks(plan.objects, builder, callees);
  builder.CreateCondBr(condition, copy->getLoopPreheader(), preheader);
  branch->eraseFromParent();
}

} // namespace

PreservedAnalyses LoopCopiesPass::run(Function &function, FunctionAnalysisManager &analyses) {
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  if (loops.empty() || !wantsInstrumentation(function) ||
      isHoistingSwitchedOff(*function.getParent()))
    return PreservedAnalyses::all();
  SmallVector<Plan, 4> plans = Planner(function, analyses).plan();
  if (plans.empty())
    return PreservedAnalyses::all();
  HoistingRemarks remarks(analyses.getResult<OptimizationRemarkEmitterAnalysis>(function));
  const RuntimeCallees callees(*function.getParent());
  DominatorTree &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  for (Plan &plan : plans) {
    for (const Instruction *access : plan.accesses)
      remarks.sayInCopy(*access, *plan.loop);
    copyLoop(plan, loops, dominators, callees);
    // An exit is reached from two loops now.
    dominators.recalculate(function);
  }
  return PreservedAnalyses::none();
}

} // namespace ompdsm
