// UncheckedClones.h: functions whose callers can ask for what they access.
//
// A function that was not inlined checks its accesses itself, in each call. If it accesses nothing
// but variables and what its pointer arguments point into, the caller can ask about these objects
// once, in front of the loop that calls it, and call a clone without checks in the copy of the loop
// (LoopCopies.h).
#pragma once
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/PassManager.h"
namespace llvm {
class CallBase;
class GlobalVariable;
} // namespace llvm
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

/// Which variables clones access without checks, by themselves and in what they call.
class VariablesOfClones {
public:
  void add(const llvm::Function &clone);
  /// Each with whether it is written.
  const llvm::MapVector<llvm::GlobalVariable *, bool> &isWritten() const { return isWritten_; }

private:
  llvm::SmallPtrSet<const llvm::Function *, 4> seen_;
  llvm::MapVector<llvm::GlobalVariable *, bool> isWritten_;
};

/// When no more calls can be replaced; true if there were any.
bool unmarkClones(llvm::Module &module);

} // namespace ompdsm
