// ObjectChecks.h: questions about whole objects, in front of a loop.
#pragma once
#include "RuntimeCallees.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
namespace llvm {
class Loop;
} // namespace llvm
namespace ompdsm {
class InvariantPointers;

/// May the object that `pointer` points into be read (or written, too)?
struct ObjectCheck {
  llvm::Value *pointer;
  bool isWrite;
};

/// The objects that `pointer` may point into, each by a value that is invariant in the loop, or by
/// the first load of one of `pointers`; nullopt if one cannot be named in front of the loop. An
/// address that is computed from a pointer is in the same object (C17 6.5.6p8); what is made from
/// an integer has none.
std::optional<llvm::SmallVector<ObjectCheck, 2>> findObjects(llvm::Value &pointer,
                                                             const llvm::Loop &loop, bool isWrite,
                                                             InvariantPointers &pointers);

/// Emits the questions; the result is true if the answers are all yes. `objects` must not be empty.
llvm::Value *emitObjectChecks(llvm::ArrayRef<ObjectCheck> objects, llvm::IRBuilderBase &builder,
                              const RuntimeCallees &callees);

} // namespace ompdsm
