// InvariantPointers.h: pointers that a loop loads again and again from where nothing changes them.
//
// s->values[k] in an inner loop loads `values` conditionally, as far as the optimiser knows, so it
// does not move the load in front of the outer loop: there it could fault. But where another member
// of *s is accessed before the loop, on the same page, it cannot; nor where each iteration loads it,
// if by several branches; nor where *s is in shared memory, which the runtime knows.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
namespace llvm {
class AAResults;
class DominatorTree;
class Instruction;
class LoadInst;
class Loop;
class LoopInfo;
class Value;
} // namespace llvm
namespace ompdsm {

struct InvariantPointer {
  llvm::Value *address; ///< Where it is loaded from; invariant in the loop.
  /// An address that has been accessed when the loop begins, or will be in any case; may be null.
  llvm::Value *witness;
  llvm::SmallVector<llvm::LoadInst *, 4> loads; ///< All of it in the loop.
};

/// Those of one loop, found on demand.
class InvariantPointers {
public:
  InvariantPointers(const llvm::Loop &loop, const llvm::LoopInfo &loops, llvm::AAResults &aliases,
                    const llvm::DominatorTree &dominators)
      : loop_(loop), loops_(loops), aliases_(aliases), dominators_(dominators) {}

  /// Null if something in the loop may change what `load` loads.
  const InvariantPointer *of(llvm::LoadInst &load);
  /// Whether it is a load of one of those that were asked for.
  bool contains(const llvm::Instruction &load) const;

private:
  llvm::Value *witnessOf(llvm::Value &address) const;
  bool isAlwaysLoaded(llvm::ArrayRef<llvm::LoadInst *> loads) const;
  bool isInNoOtherLoop(const llvm::Value &value) const;
  bool mayChange(const llvm::LoadInst &load) const;

  const llvm::Loop &loop_;
  const llvm::LoopInfo &loops_;
  llvm::AAResults &aliases_;
  const llvm::DominatorTree &dominators_;
  llvm::SmallVector<std::unique_ptr<InvariantPointer>, 4> found_;
};

} // namespace ompdsm
