// LargeLocals.h: large local variables that several threads may use live on the heap.
//
// What code without checks stores to a stack, as return addresses and spilled registers, is told to
// nobody; so copies of stacks end in each interval, and they stay with their node. An array there
// is fetched again behind each barrier. On the heap it has a home that moves, copies that last, and
// changes that are sent to who reads them.
#pragma once
#include "llvm/IR/PassManager.h"
#include <cstdint>

namespace ompdsm {

/// Lets `__ompdsm_local_begin` say where each local variable lies that is large, or of a size that
/// is known at run time only, and of which others than functions of the module may hold the
/// address; and ends it where it goes out of scope. Best where scalars are in registers by now.
class LargeLocalsPass : public llvm::PassInfoMixin<LargeLocalsPass> {
public:
  static bool isRequired() { return true; } // at -O0, too
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
};

/// How many bytes a local variable has, if `value` is a place of one that was moved and they are
/// known; else 0.
std::uint64_t bytesOfLargeLocal(const llvm::Value &value);

} // namespace ompdsm
