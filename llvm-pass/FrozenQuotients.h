// FrozenQuotients.h: rows of a collapsed nest are numbers that exist, not divisions to be made
// again.
//
// A collapsed loop computes the counters of the nest from its own by division and remainder, and an
// inner loop's section begins at what is computed from them. Scalar evolution looks through
// unsigned divisions, and would make them again in front of the inner loop; that is not allowed, as
// for all that is known there the divisor may be zero, and the access would have no section. What
// is frozen it takes as it is.
#pragma once
#include "llvm/IR/PassManager.h"

namespace ompdsm {

class FrozenQuotientsPass : public llvm::PassInfoMixin<FrozenQuotientsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace ompdsm
