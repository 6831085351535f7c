// ForeignCallees.h: a list, in each image, of the functions of other modules that get pointers.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
namespace llvm {
class Function;
class Module;
class TargetLibraryInfo;
} // namespace llvm
namespace ompdsm {

/// Adds an entry (ompdsm/abi.h, OMPDSM_SECTION_CALLEES) for each function that these functions
/// call, that the module does not define and that gets an address and may use it; library functions
/// that LLVM knows and runtimes that this project knows are left out. At start the runtime warns of
/// those that turn out not to be instrumented. `moreOptimisation`: an optimiser that may remove a
/// caller runs later. Returns whether the module changed.
bool listForeignCallees(
    llvm::Module &module, llvm::ArrayRef<llvm::Function *> instrumented, bool moreOptimisation,
    llvm::function_ref<const llvm::TargetLibraryInfo &(llvm::Function &)> libraryOf);

} // namespace ompdsm
