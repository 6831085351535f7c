// CodeMarks.h: tells instrumented code from other code at run time.
#pragma once
#include "llvm/ADT/ArrayRef.h"
namespace llvm {
class Function;
class Module;
} // namespace llvm
namespace ompdsm {

/// Puts OMPDSM_CODE_MARK in front of the code of each of these instrumented functions that can be
/// called from another module, and of each function of the module that is handed to
/// __kmpc_fork_call and its like, or to __kmpc_omp_task_alloc. Returns whether the module changed.
bool markCode(llvm::Module &module, llvm::ArrayRef<llvm::Function *> instrumented);

} // namespace ompdsm
