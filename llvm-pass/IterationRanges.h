// IterationRanges.h: in which iterations of a loop a condition on its counter holds.
#pragma once
#include <optional>
namespace llvm {
class Loop;
class SCEV;
class ScalarEvolution;
class Value;
} // namespace llvm
namespace ompdsm {

/// `length` iterations of a loop from `first` on, counted from 0; both unsigned, of type i64, and
/// invariant in the loop.
struct IterationRange {
  const llvm::SCEV *first, *length;
  bool operator==(const IterationRange &) const = default;
};

/// The iterations in which `condition` has this outcome, if they are the first or the last ones of
/// the loop, as with i > 0 or i < n - 1: a comparison of what grows or falls by one with something
/// invariant. `repetitions` is how often the loop is repeated; nullopt if the condition is another
/// one. Where the range is not empty the condition is evaluated, so nothing in it is poison then.
std::optional<IterationRange> iterationsWith(llvm::Value &condition, bool outcome,
                                             const llvm::Loop &loop, const llvm::SCEV &repetitions,
                                             llvm::ScalarEvolution &evolution);

/// What is in both.
IterationRange intersect(const IterationRange &a, const IterationRange &b,
                         llvm::ScalarEvolution &evolution);

} // namespace ompdsm
