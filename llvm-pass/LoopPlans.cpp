// LoopPlans.cpp: see LoopPlans.h.
#include "LoopPlans.h"
#include "CalleeSections.h"
#include "CheckedCopies.h"
#include "Compat.h"
#include "CoveringSections.h"
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
  Planner(Function &function, FunctionAnalysisManager &analyses, Purpose purpose)
      : purpose_(purpose), loops_(analyses.getResult<LoopAnalysis>(function)),
        dominators_(analyses.getResult<DominatorTreeAnalysis>(function)),
        evolution_(analyses.getResult<ScalarEvolutionAnalysis>(function)),
        aliases_(analyses.getResult<AAManager>(function)),
        quiet_(findQuietLoops(loops_, analyses.getResult<TargetLibraryAnalysis>(function))),
        sections_(evolution_, dominators_, quiet_), callees_(analyses, evolution_),
        covering_(sections_, evolution_, loops_),
        expander_(makeExpander(evolution_, function.getParent()->getDataLayout())) {
    if (quiet_.empty())
      return;
    accesses_ = uncoveredAccesses(function, analyses.getResult<TargetLibraryAnalysis>(function));
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction); call && uncheckedCloneOf(*call))
        calls_.push_back(call);
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
        if (auto objects = findObjects(*access.pointer, loop, access.isWrite, pointers))
          wishes.push_back({access.instruction, std::move(*objects)});
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
      all.push_back({variable, isWritten});
    return all;
  }

  /// A section in front of this very loop will do.
  bool isInSection(const Access &access, const Loop &loop) {
    const Loop *outermost = outermostOf(access);
    return outermost && outermost->contains(&loop);
  }
  /// The loop that the section of an access, or one that covers it, is in front of; null if there
  /// is none.
  const Loop *outermostOf(const Access &access) {
    findSections();
    return outermost_.lookup(access.instruction);
  }
  /// Of all accesses, once: one may cover another.
  void findSections() {
    if (std::exchange(areSectionsFound_, true))
      return;
    SmallVector<const Access *, 16> stopped;
    for (CallBase *call : calls_)
      outermostOf(*call);
    for (const Access &access : accesses_) {
      Instruction &instruction = *access.instruction;
      const Section section = sections_.of(instruction, access.pointer, access.bytes,
                                           loops_.getLoopFor(instruction.getParent()));
      if (section.loop && canEmit(section, expander_)) {
        outermost_[&instruction] = section.loop;
        covering_.add(
            {sections_.ofOne(*access.pointer, access.bytes), access.isWrite, &instruction},
            *section.loop);
      }
      if (section.stoppedBy)
        stopped.push_back(&access);
    }
    for (const Access *access : stopped) {
      const Loop *&own = outermost_[access->instruction];
      if (const Loop *around = covering_.outermostAround(*access);
          around && (!own || around->contains(own)))
        own = around;
    }
  }

  /// The same of all that a callee accesses.
  bool isInSections(CallBase &call, const Loop &loop) {
    const Loop *outermost = outermostOf(call);
    return outermost && outermost->contains(&loop);
  }
  /// The loop that the last ones of the callee's sections are in front of.
  const Loop *outermostOf(CallBase &call) {
    const auto [known, added] = outermost_.try_emplace(&call, nullptr);
    Loop *innermost = loops_.getLoopFor(call.getParent());
    if (!added || !innermost)
      return known->second;
    if (const auto all = widenedSections(call, *innermost, callees_, sections_, expander_))
      for (const CalleeSection &each : *all) {
        Loop *outermost = each.all.section.loop;
        if (!known->second || known->second->contains(outermost))
          known->second = outermost;
        covering_.add(each.one, *outermost);
      }
    return known->second;
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

  const Purpose purpose_;
  LoopInfo &loops_;
  const DominatorTree &dominators_;
  ScalarEvolution &evolution_;
  AAResults &aliases_;
  const QuietLoops quiet_;
  const SectionAnalysis sections_;
  CalleeSections callees_;
  CoveringSections covering_;
  SCEVExpander expander_;
  SmallVector<Access, 32> accesses_;
  DenseMap<const Instruction *, const Loop *> outermost_; ///< Null or nothing if there is none.
  bool areSectionsFound_ = false;
  SmallVector<CallBase *, 8> calls_; ///< Of functions that have a clone without checks.
  unsigned room_ = kMaxInstructionsOfFunction;
};

} // namespace

SmallVector<LoopPlan, 4> planLoopCopies(Function &function, FunctionAnalysisManager &analyses) {
  return Planner(function, analyses, Purpose::Copies).plan();
}
SmallVector<LoopPlan, 4> planNestQuestions(Function &function, FunctionAnalysisManager &analyses) {
  return Planner(function, analyses, Purpose::NestQuestions).plan();
}

} // namespace ompdsm
