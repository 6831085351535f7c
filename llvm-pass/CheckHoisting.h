// CheckHoisting.h: the place in the pipeline where checks can move out of loops: before
// vectorisation, with loops in simplified and LCSSA form, when their trip counts and ranges can be
// computed.
//
// The pass brings functions into that form and inserts no check. All checks are made after
// vectorisation, before each access that needs one (Pipeline.cpp).
#pragma once
#include "llvm/IR/PassManager.h"

namespace ompdsm {

class CheckHoistingPass : public llvm::PassInfoMixin<CheckHoistingPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &) {
    return llvm::PreservedAnalyses::all();
  }
};

/// Adds the pass and the loop forms that it needs.
void addCheckHoisting(llvm::FunctionPassManager &manager);

} // namespace ompdsm
