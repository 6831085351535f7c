// ObjectChecks.h: questions about whole objects, in front of a loop.
#pragma once
#include "AccessBounds.h"
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
  bool isWhole = true; ///< Else `accesses` are all there are.
  llvm::SmallVector<BoundedAccess, 4> accesses;
  /// Of what is read and what is written, if all of that is bounded; then no more is asked about.
  std::optional<OffsetBounds> read, written;

  /// Asks for less, if that is possible. `origins`: the pointer, or its loads in the loop.
  void bound(AccessBounds &bounds, llvm::ArrayRef<llvm::Value *> origins);
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
