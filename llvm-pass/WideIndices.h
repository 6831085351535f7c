// WideIndices.h: indices are computed with the bits of an address, where they may not overflow.
//
// `p[i + k * width]` with numbers of type int: the front end says that neither the product nor the
// sum overflows, and widens the sum. The optimiser then reassociates sums and products, and loses
// what is known of them; but a sum that may wrap before it is widened is no linear function of the
// iteration, and the loop has no section. Numbers of 64 bits wrap as addresses do.
#pragma once
#include "llvm/IR/PassManager.h"
namespace llvm {
class GetElementPtrInst;
} // namespace llvm
namespace ompdsm {

class WideIndicesPass : public llvm::PassInfoMixin<WideIndicesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

/// Whether its index was widened, as far as the passes in between have kept that.
bool hasWideIndex(const llvm::GetElementPtrInst &address);

} // namespace ompdsm
