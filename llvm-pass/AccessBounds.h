// AccessBounds.h: between which addresses a loop accesses memory, whatever it does in between.
//
// A section is exactly what a loop accesses, as it is fetched. What is only asked about may be
// more: the elements that a mask lets through lie between the first and the last one of the row,
// and those of a collapsed nest within the rows that the thread's iterations are of. So addresses
// are bounded by interval arithmetic (IntervalCode.h) over the instructions that compute them, with
// bounds that are known in front of the loop (Blume and Eigenmann 1995: symbolic ranges). Numbers
// are exact, in 128 bits; where one might not fit into its type, as unsigned sums that wrap, or
// would be too large for that, the answer is all of the
// object, at run time.
#pragma once
#include "IntervalCode.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <cstdint>
#include <optional>
namespace llvm {
class BinaryOperator;
class Loop;
class PHINode;
class SCEV;
class SCEVAddRecExpr;
class ScalarEvolution;
class SCEVExpander;
} // namespace llvm
namespace ompdsm {

/// `bytes` at `pointer`, in a loop.
struct BoundedAccess {
  llvm::Value *pointer;
  std::uint64_t bytes;
  bool isWrite;
};

/// Numbers of 64 bits that are known in front of the loop: bytes from the pointer of an object to
/// the first one that may be accessed, and behind the last.
struct OffsetBounds {
  llvm::Value *begin, *end;
};

/// Of one loop, which has a preheader. What is computed is put in front of `end` there.
class AccessBounds : IntervalCode {
public:
  AccessBounds(const llvm::Loop &loop, llvm::Instruction *end, llvm::ScalarEvolution &evolution,
               llvm::SCEVExpander &expander);
  /// Of all of them together, in the object that all of `origins` point to alike: a pointer from
  /// in front of the loop, or its loads in the loop. nullopt if one cannot be bounded, which leaves
  /// dead code.
  std::optional<OffsetBounds> of(llvm::ArrayRef<BoundedAccess> accesses,
                                 llvm::ArrayRef<llvm::Value *> origins);

private:
  /// Of a pointer: how far it is from the origin.
  MaybeInterval boundsOf(llvm::Value &value);
  MaybeInterval compute(llvm::Value &value);
  MaybeInterval ofInvariant(llvm::Value &value);
  MaybeInterval ofOperation(llvm::BinaryOperator &operation);
  MaybeInterval ofQuotient(llvm::BinaryOperator &operation, bool isSigned, bool isRemainder);
  MaybeInterval ofRemainder(llvm::BinaryOperator &difference);
  MaybeInterval ofElement(llvm::Value &element);
  MaybeInterval ofPhi(llvm::PHINode &phi);
  MaybeInterval ofRecurrence(llvm::PHINode &phi, const llvm::Loop &around);
  MaybeInterval ofLimit(const llvm::SCEVAddRecExpr &recurrence, const Interval &start);
  llvm::Value *expand(const llvm::SCEV *number);

  const llvm::Loop &loop_;
  llvm::ScalarEvolution &evolution_;
  llvm::SCEVExpander &expander_;
  llvm::Instruction *const end_;
  llvm::ArrayRef<llvm::Value *> origins_;
  llvm::DenseMap<llvm::Value *, MaybeInterval> known_; ///< Nothing while it is being computed.
};

} // namespace ompdsm
