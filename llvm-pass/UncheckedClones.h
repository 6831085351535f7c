// UncheckedClones.h: functions whose callers can ask for what they access.
//
// A function that was not inlined checks its accesses itself, in each call. If it accesses nothing
// but what its pointer arguments point into, the caller can ask about these objects once, in front
// of the loop that calls it, and call a clone without checks in the copy of the loop
// (LoopCopies.h).
#pragma once
#include "llvm/IR/PassManager.h"
namespace llvm {
class CallBase;
}
namespace ompdsm {

/// Makes the clones of one module. Wanted: inferred attributes of functions, before the first
/// check.
class UncheckedClonesPass : public llvm::PassInfoMixin<UncheckedClonesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

/// The clone of the function that is called, or null. What it says of its parameters (readonly,
/// readnone) holds.
llvm::Function *uncheckedCloneOf(const llvm::CallBase &call);

/// Removes the clones that no loop calls; true if there were any.
bool eraseUnusedClones(llvm::Module &module);

} // namespace ompdsm
