// CheckHoisting.h: moves checks out of loops, before vectorisation, when trip counts and ranges of
// accesses can be computed.
//
// A check is a permission until the thread's next synchronisation point (ARCHITECTURE, section 2).
// So the accesses of a loop nest without one need one check in front of it, of the section that
// they touch; the loop stays as it is, and is vectorised as it would be. The accesses are marked
// (CoveredAccesses.h), and the instrumentation after vectorisation leaves the marked ones out.
#pragma once
#include "llvm/IR/PassManager.h"

namespace ompdsm {

class CheckHoistingPass : public llvm::PassInfoMixin<CheckHoistingPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// Adds the pass and the loop forms that it needs.
void addCheckHoisting(llvm::FunctionPassManager &manager);

} // namespace ompdsm
