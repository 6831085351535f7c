// FieldCopies.h: copies of small structures of floating-point numbers, as complex numbers are,
// become loads and stores of their members.
//
// Clang copies a structure by llvm.memcpy, of which the optimiser knows little: not that it changes
// no pointers, so that those which a loop uses are loaded again behind it, and it has no section.
// What the members are is said by the copy itself (tbaa.struct).
#pragma once
#include "llvm/IR/PassManager.h"

namespace ompdsm {

class FieldCopiesPass : public llvm::PassInfoMixin<FieldCopiesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace ompdsm
