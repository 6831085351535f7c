// SharerSet.h: the nodes that hold a valid copy of a block. Any number of nodes: the first 64 in
// one word, the rest in words that exist only as far as they have members, so that sets are equal
// if their members are. Small, as most sets are.
#pragma once
#include "Types.h"
#include <bit>
#include <memory>
#include <utility>
#include <vector>

namespace ompdsm {

class SharerSet {
public:
  SharerSet() = default;
  SharerSet(const SharerSet &other)
      : first_(other.first_), rest_(other.rest_ ? std::make_unique<Words>(*other.rest_) : nullptr) {
  }
  SharerSet(SharerSet &&other) noexcept
      : first_(std::exchange(other.first_, 0)), rest_(std::move(other.rest_)) {}
  SharerSet &operator=(SharerSet other) noexcept {
    first_ = other.first_;
    rest_ = std::move(other.rest_);
    return *this;
  }

  bool empty() const { return first_ == 0 && !rest_; }
  bool contains(NodeId node) const {
    if (node < 64)
      return first_ >> node & 1;
    std::size_t index = node / 64 - 1;
    return rest_ && index < rest_->size() && ((*rest_)[index] >> (node % 64) & 1);
  }
  void insert(NodeId node) {
    if (node < 64) {
      first_ |= std::uint64_t(1) << node;
      return;
    }
    std::size_t index = node / 64 - 1;
    if (!rest_)
      rest_ = std::make_unique<Words>();
    if (index >= rest_->size())
      rest_->resize(index + 1);
    (*rest_)[index] |= std::uint64_t(1) << (node % 64);
  }
  void erase(NodeId node) {
    if (node < 64) {
      first_ &= ~(std::uint64_t(1) << node);
      return;
    }
    if (!contains(node))
      return;
    (*rest_)[node / 64 - 1] &= ~(std::uint64_t(1) << (node % 64));
    while (!rest_->empty() && rest_->back() == 0)
      rest_->pop_back();
    if (rest_->empty())
      rest_.reset();
  }
  bool isOnly(NodeId node) const { return contains(node) && size() == 1; }
  friend bool operator==(const SharerSet &a, const SharerSet &b) {
    return a.first_ == b.first_ && (a.rest_ && b.rest_ ? *a.rest_ == *b.rest_ : a.rest_ == b.rest_);
  }
  /// For tables of sets.
  std::size_t hash() const {
    // splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
    const auto mix = [](std::uint64_t z) {
      z = (z + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
      return z ^ (z >> 29);
    };
    std::uint64_t result = mix(first_);
    forEachFurther([&](std::uint64_t word, std::size_t) { result = mix(result ^ word); });
    return result;
  }
  void clear() {
    first_ = 0;
    rest_.reset();
  }
  std::size_t size() const {
    std::size_t count = std::popcount(first_);
    forEachFurther([&](std::uint64_t word, std::size_t) { count += std::popcount(word); });
    return count;
  }
  /// Calls `visit(node)` for each member, ascending.
  template <class Visit> void forEach(Visit &&visit) const {
    visitWord(first_, 0, visit);
    forEachFurther([&](std::uint64_t word, std::size_t base) { visitWord(word, base, visit); });
  }

private:
  using Words = std::vector<std::uint64_t>;

  /// Calls visit(word, its first node) for each word but the first.
  template <class Visit> void forEachFurther(Visit &&visit) const {
    for (std::size_t i = 0; rest_ && i < rest_->size(); ++i)
      visit((*rest_)[i], (i + 1) * 64);
  }
  template <class Visit> static void visitWord(std::uint64_t word, std::size_t base, Visit &visit) {
    for (; word; word &= word - 1)
      visit(static_cast<NodeId>(base + std::countr_zero(word)));
  }
  std::uint64_t first_ = 0;
  std::unique_ptr<Words> rest_; ///< Of nodes from 64 on; null if there are none.
};

} // namespace ompdsm
