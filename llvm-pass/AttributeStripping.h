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

} // namespace ompdsm
