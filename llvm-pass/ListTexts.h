// ListTexts.h: texts in the lists that an image has for the runtime (ompdsm/abi.h).
#pragma once
#include "llvm/ADT/StringRef.h"
namespace llvm {
class GlobalVariable;
class Module;
} // namespace llvm
namespace ompdsm {

/// A constant text. The linker keeps one of equal ones.
llvm::GlobalVariable *addListText(llvm::Module &module, llvm::StringRef text);

} // namespace ompdsm
