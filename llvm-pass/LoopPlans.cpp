// LoopPlans.cpp: see LoopPlans.h.
#include "LoopPlans.h"
#include "AccessSections.h"
#include "CheckedCopies.h"
#include "Compat.h"
#include "SectionChecks.h"
#include "UncheckedClones.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// Of a copied loop, and of one function together. Larger ones are rarely as hot as they are long.
constexpr unsigned kMaxInstructions = 2000, kMaxInstructionsOfFunction = 8000;
/// Questions to the runtime in front of one loop.
constexpr unsigned kMaxObjects = 12;

unsigned sizeOf(const Loop &loop) {
  unsigned size = 0;
  for (const BasicBlock *block : loop.blocks())
    size += unsigned(block->sizeWithoutDebug());
  return size;
}

/// The objects of one access.
struct Wish {
  Instruction *access;
  SmallVector<ObjectCheck, 2> objects;
};

enum class Purpose : bool { Copies, NestQuestions };

class Planner {
public:
  /// For nest questions the sections are known.
  Planner(Function &function, FunctionAnalysisManager &analyses, const AccessSections *known)
      : purpose_(known ? Purpose::NestQuestions : Purpose::Copies), function_(function),
        analyses_(analyses), loops_(analyses.getResult<LoopAnalysis>(function)),
        dominators_(analyses.getResult<DominatorTreeAnalysis>(function)),
        evolution_(analyses.getResult<ScalarEvolutionAnalysis>(function)),
        aliases_(analyses.getResult<AAManager>(function)),
        quiet_(findQuietLoops(loops_, analyses.getResult<TargetLibraryAnalysis>(function))),
        sections_(evolution_, dominators_, quiet_),
        expander_(makeExpander(evolution_, function.getParent()->getDataLayout())) {
    if (quiet_.empty())
      return;
    if (known)
      for (const AccessSections::OfAccess &each : known->accesses())
        accesses_.push_back(each.access);
    else
      accesses_ = uncoveredAccesses(function, analyses.getResult<TargetLibraryAnalysis>(function));
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction); call && uncheckedCloneOf(*call))
        calls_.push_back(call);
    if (known)
      findOutermost(*known);
  }

  SmallVector<LoopPlan, 4> plan() {
    SmallVector<LoopPlan, 4> plans;
    if (!accesses_.empty() || !calls_.empty())
      for (Loop *loop : loops_)
        planWithin(*loop, plans);
    return plans;
  }

private:
  void planWithin(Loop &loop, SmallVectorImpl<LoopPlan> &plans) {
    // If it runs, the objects are not valid.
    if (purpose_ == Purpose::NestQuestions && isCheckedCopy(loop))
      return;
    if (quiet_.contains(&loop) && loop.isLoopSimplifyForm() &&
        (purpose_ == Purpose::Copies ? mayCopy(loop) : !loop.isInnermost())) {
      LoopPlan plan = planFor(loop);
      const bool isWanted =
          !plan.accesses.empty() && needsCopy(plan) == (purpose_ == Purpose::Copies);
      const unsigned size = purpose_ == Purpose::Copies ? sizeOf(loop) : 0;
      if (isWanted && size <= room_) {
        room_ -= size;
        plans.push_back(std::move(plan));
        return; // Loops within a copied one are copied with it.
      }
    }
    for (Loop *inner : loop)
      planWithin(*inner, plans);
  }

  /// Else sections in front of inner loops are what checks there are.
  bool needsCopy(const LoopPlan &plan) {
    return !plan.pointers.empty() || any_of(plan.accesses, [&](const Instruction *access) {
      const auto known = outermost_.find(access);
      return known == outermost_.end() || !known->second;
    });
  }

  bool mayCopy(const Loop &loop) {
    return loop.isSafeToClone() && loop.isRecursivelyLCSSAForm(dominators_, loops_) &&
           sizeOf(loop) <= kMaxInstructions && (!loop.isInnermost() || canCount(loop));
  }
  /// The search for something is mostly short, and asks the more often.
  bool canCount(const Loop &loop) {
    const SCEV *repetitions = evolution_.getBackedgeTakenCount(&loop);
    return !isa<SCEVCouldNotCompute>(repetitions) &&
           expander_.isSafeToExpandAt(repetitions, loop.getLoopPreheader()->getTerminator());
  }

  LoopPlan planFor(Loop &loop) {
    InvariantPointers pointers(loop, loops_, aliases_, dominators_);
    SmallVector<Wish, 16> wishes;
    for (const Access &access : accesses_)
      if (loop.contains(access.instruction) && !isInSection(access, loop))
        if (auto objects = findObjects(*access.pointer, loop, access.isWrite, pointers)) {
          if (objects->size() == 1 && access.shape == Access::Shape::Fixed) {
            objects->front().isWhole = false;
            objects->front().accesses = {{access.pointer, access.bytes, access.isWrite}};
          }
          wishes.push_back({access.instruction, std::move(*objects)});
        }
    for (CallBase *call : calls_)
      if (loop.contains(call) && !isInSections(*call, loop))
        if (auto objects = findObjectsOf(*call, loop, pointers))
          wishes.push_back({call, std::move(*objects)});
    LoopPlan plan{&loop, {}, {}, {}, nullptr};
    for (const Wish &wish : wishes)
      // The copy has other loads of the pointers. A callee may access no object that is shared.
      if (!wish.objects.empty() && !pointers.contains(*wish.access) &&
          addObjects(wish.objects, plan.objects))
        plan.accesses.push_back(wish.access);
    for (const ObjectCheck &object : plan.objects)
      if (auto *load = dyn_cast<LoadInst>(object.pointer); load && loop.contains(load))
        plan.pointers.push_back(*pointers.of(*load));
    if (loop.isInnermost())
      plan.repetitions = evolution_.getBackedgeTakenCount(&loop);
    return plan;
  }

  /// Those of all pointer arguments that the callee accesses, and its variables.
  std::optional<SmallVector<ObjectCheck, 2>> findObjectsOf(CallBase &call, const Loop &loop,
                                                           InvariantPointers &pointers) {
    const Function &callee = *uncheckedCloneOf(call);
    SmallVector<ObjectCheck, 2> all;
    for (const Argument &parameter : callee.args()) {
      if (!parameter.getType()->isPointerTy() || parameter.hasAttribute(Attribute::ReadNone))
        continue;
      auto objects = findObjects(*call.getArgOperand(parameter.getArgNo()), loop,
                                 !parameter.onlyReadsMemory(), pointers);
      if (!objects)
        return std::nullopt;
      append_range(all, *objects);
    }
    VariablesOfClones variables;
    variables.add(callee);
    for (const auto &[variable, isWritten] : variables.isWritten())
      all.push_back({variable, isWritten, true, {}, {}, {}});
    return all;
  }

  /// A section in front of this very loop will do.
  bool isInSection(const Access &access, const Loop &loop) {
    return isInSections(*access.instruction, loop);
  }
  /// The same of all that a callee accesses.
  bool isInSections(const Instruction &access, const Loop &loop) {
    if (!areSectionsFound_)
      findOutermost(AccessSections(function_, accesses_, analyses_, sections_, expander_));
    const Loop *outermost = outermost_.lookup(&access);
    return outermost && outermost->contains(&loop);
  }
  /// Of all accesses, once: one may cover another.
  void findOutermost(const AccessSections &known) {
    areSectionsFound_ = true;
    for (const auto &[call, sections] : known.calls()) {
      const Loop *&innermost = outermost_[call]; // The last one of the callee's sections.
      for (const CalleeSection &each : sections)
        if (!innermost || innermost->contains(each.all.section.loop))
          innermost = each.all.section.loop;
    }
    for (const AccessSections::OfAccess &each : known.accesses()) {
      const Loop *around = known.loopOfCoveringSection(each);
      if (const Loop *outermost = around ? around : each.section.loop)
        outermost_[each.access.instruction] = outermost;
    }
  }

  static bool addObjects(ArrayRef<ObjectCheck> objects, SmallVectorImpl<ObjectCheck> &all) {
    SmallVector<ObjectCheck, 4> more(all.begin(), all.end());
    for (const ObjectCheck &object : objects) {
      auto *known =
          find_if(more, [&](const ObjectCheck &other) { return other.pointer == object.pointer; });
      if (known == more.end()) {
        more.push_back(object);
        continue;
      }
      known->isWrite |= object.isWrite;
      known->isWhole |= object.isWhole;
      append_range(known->accesses, object.accesses);
    }
    if (more.size() > kMaxObjects)
      return false;
    all = std::move(more);
    return true;
  }

  const Purpose purpose_;
  Function &function_;
  FunctionAnalysisManager &analyses_;
  LoopInfo &loops_;
  const DominatorTree &dominators_;
  ScalarEvolution &evolution_;
  AAResults &aliases_;
  const QuietLoops quiet_;
  const SectionAnalysis sections_;
  SCEVExpander expander_;
  SmallVector<Access, 32> accesses_;
  DenseMap<const Instruction *, const Loop *> outermost_; ///< Null or nothing if there is none.
  bool areSectionsFound_ = false;
  SmallVector<CallBase *, 8> calls_; ///< Of functions that have a clone without checks.
  unsigned room_ = kMaxInstructionsOfFunction;
};

} // namespace

SmallVector<LoopPlan, 4> planLoopCopies(Function &function, FunctionAnalysisManager &analyses) {
  return Planner(function, analyses, /*known=*/nullptr).plan();
}
SmallVector<LoopPlan, 4> planNestQuestions(Function &function, FunctionAnalysisManager &analyses,
                                           const AccessSections &sections) {
  return Planner(function, analyses, &sections).plan();
}

} // namespace ompdsm
