// NestQuestions.cpp: see NestQuestions.h.
#include "NestQuestions.h"
#include "HoistingRemarks.h"
#include "ReadableRuns.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace ompdsm {
namespace {

Value *emitQuestion(LoopPlan &plan, SCEVExpander &expander, ScalarEvolution &evolution,
                    const RuntimeCallees &callees) {
  Instruction *const end = plan.loop->getLoopPreheader()->getTerminator();
  AccessBounds bounds(*plan.loop, end, evolution, expander);
  for (ObjectCheck &object : plan.objects)
    object.bound(bounds, object.pointer);
  IRBuilder<> builder(end);
  builder.SetCurrentDebugLocation(plan.loop->getStartLoc());
  Value *isNeeded = builder.CreateNot(emitObjectChecks(plan.objects, builder, callees), "ask");
  for (const ObjectCheck &object : plan.objects)
    if (!object.isWrite && plan.objects.size() <= kMostRuns)
      askForRun(builder, object.pointer, {}, callees);
  return isNeeded;
}

} // namespace

void askOnlyIf(Value &isNeeded, const LoopAsking &asking, Instruction *end,
               DominatorTree &dominators, LoopInfo &loops) {
  DomTreeUpdater updater(dominators, DomTreeUpdater::UpdateStrategy::Eager);
  Instruction *then =
      SplitBlockAndInsertIfThen(&isNeeded, end->getIterator(),
                                /*Unreachable=*/false, /*BranchWeights=*/nullptr, &updater, &loops);
  for (CallInst *call : asking.calls)
    call->moveBefore(*then->getParent(), then->getIterator());
}

bool askOnlyIfNeeded(MutableArrayRef<LoopPlan> plans, ArrayRef<LoopAsking> askings,
                     SCEVExpander &expander, ScalarEvolution &evolution,
                     const RuntimeCallees &callees, HoistingRemarks &remarks,
                     DominatorTree &dominators, LoopInfo &loops) {
  bool changed = false;
  for (LoopPlan &plan : plans) {
    Value *isNeeded = nullptr;
    for (const LoopAsking &asking : askings) {
      if (asking.loop == plan.loop || !plan.loop->contains(asking.loop) ||
          !all_of(asking.accesses,
                  [&](Instruction *access) { return is_contained(plan.accesses, access); }))
        continue;
      if (!isNeeded)
        isNeeded = emitQuestion(plan, expander, evolution, callees);
      askOnlyIf(*isNeeded, asking, asking.loop->getLoopPreheader()->getTerminator(), dominators,
                loops);
      for (const Instruction *access : asking.accesses)
        remarks.sayOfObject(*access, *plan.loop);
      changed = true;
    }
  }
  return changed;
}

} // namespace ompdsm
