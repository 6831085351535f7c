// IntervalCode.h: code that computes with intervals (Moore 1966), in numbers of 128 bits.
//
// What is computed is exact as long as certain conditions hold, which the code finds, too: that
// factors are small enough, and what is asked to fit fits.
#pragma once
#include "llvm/IR/IRBuilder.h"
#include <optional>

namespace ompdsm {

/// A number of the program is between these, of 128 bits, or wraps to one that is.
struct Interval {
  llvm::Value *least, *most;
};
using MaybeInterval = std::optional<Interval>;

class IntervalCode {
protected:
  static constexpr unsigned kWideBits = 128;
  /// Products of two numbers of so many bits, and sums of some thousands of them, are exact.
  static constexpr unsigned kFactorBits = 56;

  /// The code goes in front of `end`.
  explicit IntervalCode(llvm::Instruction *end);
  /// A number of the program, with its sign or without.
  Interval exactly(llvm::Value *number, bool isSigned = true);
  Interval join(const Interval &one, const Interval &other);
  Interval plus(const Interval &one, const Interval &other);
  Interval times(const Interval &one, llvm::Value *factor);
  llvm::Value *constant(llvm::APInt value);
  llvm::Value *smaller(llvm::Value *one, llvm::Value *other);
  llvm::Value *larger(llvm::Value *one, llvm::Value *other);
  void require(llvm::Value *condition);
  /// That the number is what its type says.
  void requireFits(const Interval &number, unsigned bits, bool isSigned);
  /// That a product of two is exact.
  void requireSmall(const Interval &number);

  llvm::IRBuilder<> builder_;
  llvm::Type *const wide_;
  llvm::Value *isExact_; ///< Whether all conditions hold.
};

} // namespace ompdsm
