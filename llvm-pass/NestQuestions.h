// NestQuestions.h: one question in front of a nest instead of many sections within it.
//
// Inner loops whose sections cannot be computed further out ask for them each time that they begin.
// If all objects of the nest are valid (LoopPlans.h), which is asked once in front of it, they skip
// that. The nest need not be there twice: it is the asking that depends on the answer.
#pragma once
#include "LoopPlans.h"
#include "SectionChecks.h"
namespace llvm {
class DominatorTree;
class LoopInfo;
} // namespace llvm
namespace ompdsm {
class HoistingRemarks;

/// The calls that have been put into the preheader of a loop, in order, the accesses that they are
/// for, and the sections that they ask for.
struct LoopAsking {
  struct Asked {
    Section section;
    bool isWrite;
  };
  llvm::Loop *loop;
  llvm::SmallVector<llvm::Instruction *, 8> accesses;
  llvm::SmallVector<Asked, 8> sections;
  llvm::SmallVector<llvm::CallInst *, 8> calls;
};

/// Puts the calls of the asking behind a condition that is known in front of `end`, the end of
/// their block.
void askOnlyIf(llvm::Value &isNeeded, const LoopAsking &asking, llvm::Instruction *end,
               llvm::DominatorTree &dominators, llvm::LoopInfo &loops);

/// Puts the question of each plan in front of its loop, and the calls in front of loops within it,
/// if they are all for accesses of the plan, behind the answer no. True if there were any; the
/// preheaders of such loops are other blocks then.
bool askOnlyIfNeeded(llvm::MutableArrayRef<LoopPlan> plans, llvm::ArrayRef<LoopAsking> askings,
                     llvm::SCEVExpander &expander, llvm::ScalarEvolution &evolution,
                     const RuntimeCallees &callees, HoistingRemarks &remarks,
                     llvm::DominatorTree &dominators, llvm::LoopInfo &loops);

} // namespace ompdsm
