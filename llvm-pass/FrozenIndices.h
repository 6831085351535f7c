// FrozenIndices.h: what later passes need not know of indices that were widened.
//
// With 64 bits an index is linear in outer loops, too (WideIndices.h), which is what sections are
// made of. It also makes the vectoriser compare the pointers of an inner loop in front of the outer
// one, whether the inner loop is long enough for vectors or not, and makes strength reduction keep
// a pointer for each row of an inner loop's accesses, most of them in memory: both cost more than
// they save where inner loops have few iterations (the passes of a Fourier transform: 1.17 of the
// time of plain code on one node). So, once sections are computed, such an index is frozen where it
// changes in an outer loop: Scalar Evolution knows of a frozen value only that it does not change
// in the inner one.
#pragma once
#include "llvm/IR/PassManager.h"

namespace ompdsm {

class FrozenIndicesPass : public llvm::PassInfoMixin<FrozenIndicesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace ompdsm
