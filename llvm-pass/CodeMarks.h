// CodeMarks.h: tells instrumented code from other code at run time.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallPtrSet.h"
namespace llvm {
class Function;
} // namespace llvm
namespace ompdsm {

/// Puts OMPDSM_CODE_MARK in front of the code of each of these instrumented functions that can be
/// called from another module, or whose address is used otherwise than in a call of it: regions and
/// tasks go to OpenMP's runtime, perhaps one of several by the same call. That of foldable regions
/// is another one. Returns whether any was changed.
bool markCode(llvm::ArrayRef<llvm::Function *> instrumented,
              const llvm::SmallPtrSetImpl<const llvm::Function *> &foldable);

} // namespace ompdsm
