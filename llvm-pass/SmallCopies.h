// SmallCopies.h: copies of a few bytes within loops become a load and a store.
//
// LLVM keeps the copy of a structure, or of some elements, as a memcpy. As a load and a store it is
// what sections are made of (Sections.h), so that the checks of a loop that gathers such pieces
// move in front of it; and what is left in the loop is tested inline.
#pragma once
#include "llvm/IR/PassManager.h"
namespace ompdsm {

class SmallCopiesPass : public llvm::PassInfoMixin<SmallCopiesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace ompdsm
