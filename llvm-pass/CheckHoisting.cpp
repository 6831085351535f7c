// CheckHoisting.cpp: see CheckHoisting.h.
#include "CheckHoisting.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

namespace ompdsm {

void addCheckHoisting(llvm::FunctionPassManager &manager) {
  manager.addPass(llvm::LoopSimplifyPass());
  manager.addPass(llvm::LCSSAPass());
  manager.addPass(CheckHoistingPass());
}

} // namespace ompdsm
