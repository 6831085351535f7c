// LoopCopies.h: loops whose accesses cannot be computed get a copy without checks.
//
// An access like x[index[i]], or one that only some iterations make, has no section that a check in
// front of the loop could ask for. But the object that x points into is the same in all iterations.
// If all of it is valid when the loop begins, no access to it can miss: permissions last until the
// thread's next synchronisation point, and the loop has none. So the runtime is asked about each
// such object, and the loop exists twice: once without checks of these objects, once with them.
// (Loop versioning; as Shasta could not do it, whose permissions did not last.)
#pragma once
#include "llvm/IR/PassManager.h"

namespace ompdsm {

/// Leaves loop-simplify and LCSSA form behind only where it changed nothing.
class LoopCopiesPass : public llvm::PassInfoMixin<LoopCopiesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace ompdsm
