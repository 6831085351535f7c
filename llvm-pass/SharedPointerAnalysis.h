// SharedPointerAnalysis.h: which pointers can never point to shared memory, and why.
//
// Everything that is not proved private may be shared: a check of private memory passes. The answer
// holds for one function, as long as its uses of stack objects do not change.
#pragma once
#include "InstrumentationReport.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Value.h"
#include <optional>

namespace ompdsm {

class ThreadPrivateObjects;

class SharedPointerAnalysis {
public:
  /// Null: nothing is known of the module's other functions.
  explicit SharedPointerAnalysis(const ThreadPrivateObjects *objects = nullptr)
      : threadPrivate_(objects) {}
  /// The reason why an access through `pointer` (or a vector of pointers) needs no check, if there
  /// is one.
  std::optional<Omission> whyPrivate(const llvm::Value *pointer);

private:
  std::optional<Omission> whyObjectPrivate(const llvm::Value *object);
  const ThreadPrivateObjects *const threadPrivate_;
  llvm::DenseMap<const llvm::Value *, std::optional<Omission>> objects_;
};

/// The locks of critical sections and reductions and the caches of threadprivate variables: libomp
/// writes them, and the runtime uses only their addresses.
bool isOpenMPLibraryVariable(llvm::StringRef name);

} // namespace ompdsm
