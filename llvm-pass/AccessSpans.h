// AccessSpans.h: which bytes an access touches, counted from the pointer that its address is
// computed from.
#pragma once
#include "AccessCollector.h"
#include "llvm/IR/DataLayout.h"
namespace ompdsm {

/// Bytes [begin, end) from a base pointer.
struct Span {
  llvm::Value *base;
  std::int64_t begin, end;

  bool contains(const Span &other) const {
    return base == other.base && begin <= other.begin && other.end <= end;
  }
};

/// Of an access of fixed size: constant offsets are followed to where they begin.
Span spanOf(const Access &access, const llvm::DataLayout &layout);

/// The same, but offsets within a line's length that are not constant are followed, too: the access
/// touches some bytes of the span (node->child[i] with i of 0 or 1).
Span widestSpanOf(const Access &access, const llvm::DataLayout &layout);

} // namespace ompdsm
