// AttributeStripping.h: removes attributes that inserted checks and calls make false.
#pragma once
#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm
namespace ompdsm {

/// Strips from the functions, their callers in the module (transitively) and the call sites what
/// says that they touch little memory, do not synchronise, free or wait, or do not capture.
void stripFalseAttributes(llvm::Module &module,
                          const llvm::SmallPtrSetImpl<llvm::Function *> &instrumented);

/// The same of one function alone, but that it does not synchronise: for checks that are inserted
/// before the optimiser has ended, so that loops of its callers are still known to keep their
/// permissions.
void stripMemoryAttributes(llvm::Function &function);

/// Removes what the front end says of pointers that a function does not keep when it returns (flang
/// of all dummy arguments, clang of noescape): it may lend them to other threads meanwhile. What
/// the optimiser infers afterwards, and knows of library functions, holds. Runs before the
/// optimiser. Returns whether the module changed.
bool stripDeclaredCaptures(llvm::Module &module);

} // namespace ompdsm
