// LoopPlans.h: which loops are worth a question about whole objects in front of them, and what has
// to be asked: loops that get a copy without checks, and nests whose inner loops need not ask then.
#pragma once
#include "InvariantPointers.h"
#include "ObjectChecks.h"
#include "llvm/IR/PassManager.h"
namespace llvm {
class SCEV;
} // namespace llvm
namespace ompdsm {
class AccessSections;

struct LoopPlan {
  llvm::Loop *loop;
  llvm::SmallVector<llvm::Instruction *, 16> accesses; ///< Need no check then; or calls.
  llvm::SmallVector<ObjectCheck, 4> objects;           ///< If all of these are valid.
  /// Pointers among the objects that are loaded within the loop; named there by the first load.
  llvm::SmallVector<InvariantPointer, 2> pointers;
  /// Of a loop without inner ones: how often it is repeated. A short one is not worth a question.
  const llvm::SCEV *repetitions = nullptr;
};

/// For the outermost loops without synchronisation in which some access has no section in front of
/// any loop, but objects that can be named in front of that very loop. Its other accesses without a
/// section there are part of the plan.
llvm::SmallVector<LoopPlan, 4> planLoopCopies(llvm::Function &function,
                                              llvm::FunctionAnalysisManager &analyses);
/// For the outermost ones in which all such accesses have sections in front of inner loops. They
/// have no pointers. `sections` are the function's.
llvm::SmallVector<LoopPlan, 4> planNestQuestions(llvm::Function &function,
                                                 llvm::FunctionAnalysisManager &analyses,
                                                 const AccessSections &sections);

} // namespace ompdsm
