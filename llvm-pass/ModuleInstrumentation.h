// ModuleInstrumentation.h: the two module passes that run all the others' work in order.
#pragma once
#include "llvm/IR/PassManager.h"

namespace ompdsm {

/// Whether the function's accesses are to be checked, and are not yet.
bool wantsInstrumentation(const llvm::Function &function);
/// It has no accesses to check, or they are.
void markInstrumented(llvm::Function &function);

/// What must see the code as Clang emitted it.
class PreparePass : public llvm::PassInfoMixin<PreparePass> {
public:
  static bool isRequired() { return true; } // At -O0, too.
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
};

/// What must see stack objects promoted, and parallel regions before anything is inlined.
class CapturesPass : public llvm::PassInfoMixin<CapturesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
};

/// What must see the code as it will be emitted. A function that is instrumented already, in an
/// earlier run over the module or before it was linked into it, is left alone.
class InstrumentPass : public llvm::PassInfoMixin<InstrumentPass> {
public:
  /// `moreOptimisation`: the module is compiled for link-time optimisation.
  explicit InstrumentPass(bool moreOptimisation) : moreOptimisation_(moreOptimisation) {}
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);

private:
  bool moreOptimisation_;
};

} // namespace ompdsm
