// SharerSet.h: the nodes that hold a valid copy of a block. Any number of nodes: the first 64 in
// one word, the rest in words that exist only as far as they have members, so that sets are equal
// if their members are.
#pragma once
#include "Types.h"
#include <bit>
#include <vector>

namespace ompdsm {

class SharerSet {
public:
  bool empty() const {
    if (first_)
      return false;
    for (std::uint64_t word : rest_)
      if (word)
        return false;
    return true;
  }
  bool contains(NodeId node) const {
    if (node < 64)
      return first_ >> node & 1;
    std::size_t index = node / 64 - 1;
    return index < rest_.size() && (rest_[index] >> (node % 64) & 1);
  }
  void insert(NodeId node) {
    if (node < 64) {
      first_ |= std::uint64_t(1) << node;
      return;
    }
    std::size_t index = node / 64 - 1;
    if (index >= rest_.size())
      rest_.resize(index + 1);
    rest_[index] |= std::uint64_t(1) << (node % 64);
  }
  void erase(NodeId node) {
    if (node < 64)
      first_ &= ~(std::uint64_t(1) << node);
    else if (std::size_t index = node / 64 - 1; index < rest_.size())
      rest_[index] &= ~(std::uint64_t(1) << (node % 64));
    while (!rest_.empty() && rest_.back() == 0)
      rest_.pop_back();
  }
  bool isOnly(NodeId node) const { return contains(node) && size() == 1; }
  friend bool operator==(const SharerSet &, const SharerSet &) = default;
  /// For tables of sets.
  std::size_t hash() const {
    // splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
    const auto mix = [](std::uint64_t z) {
      z = (z + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
      return z ^ (z >> 29);
    };
    std::uint64_t result = mix(first_);
    for (std::uint64_t word : rest_)
      result = mix(result ^ word);
    return result;
  }
  void clear() {
    first_ = 0;
    rest_.clear();
  }
  std::size_t size() const {
    std::size_t count = std::popcount(first_);
    for (std::uint64_t word : rest_)
      count += std::popcount(word);
    return count;
  }
  /// Calls `visit(node)` for each member, ascending.
  template <class Visit> void forEach(Visit &&visit) const {
    visitWord(first_, 0, visit);
    for (std::size_t i = 0; i < rest_.size(); ++i)
      visitWord(rest_[i], (i + 1) * 64, visit);
  }

private:
  template <class Visit>
  static void visitWord(std::uint64_t word, std::size_t base, Visit &visit) {
    for (; word; word &= word - 1)
      visit(static_cast<NodeId>(base + std::countr_zero(word)));
  }
  std::uint64_t first_ = 0;
  std::vector<std::uint64_t> rest_;
};

} // namespace ompdsm
