// RegionWork.h: how long the work of one parallel region takes, for the choice between spreading it
// over the nodes and folding it into one (Foldings.h). Pure.
//
// What a thread of a spread region works tells badly how long one node would need alone: misses
// that no other node has to answer are part of it, and other threads may have more to do. So the
// work is measured by folding the region some times, where it may be small, but not at the first
// visit: who touches memory first becomes its home.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace ompdsm {

/// Work of one node, in nanoseconds, up to which a region is folded: a multiple of that from which
/// spreading would gain if it cost nothing but a fork and a join, as data travel, too. `transport`:
/// its name. Not measured: what is folded should depend on times as little as it can.
std::uint64_t foldingLimit(std::string_view transport, unsigned nodes);

/// Of one visit, in nanoseconds.
struct RegionTimes {
  std::uint64_t duration = 0; ///< From the fork to the join.
  std::uint64_t useful = 0;   ///< What a thread of the region worked, where it was spread.
};

/// The median of the latest three values; zero until there are any.
class LatestMedian {
public:
  void add(std::uint64_t value) { values_[count_++ % values_.size()] = value; }
  bool isSettled() const { return count_ >= values_.size(); }
  /// All values multiplied.
  LatestMedian times(double factor) const {
    LatestMedian product = *this;
    for (std::uint64_t &value : product.values_)
      value = std::uint64_t(double(value) * factor);
    return product;
  }
  std::uint64_t value() const {
    std::array<std::uint64_t, 3> sorted = values_;
    if (count_ < sorted.size())
      return count_ == 0 ? 0 : *std::min_element(sorted.begin(), sorted.begin() + count_);
    std::sort(sorted.begin(), sorted.end());
    return sorted[1];
  }

private:
  std::array<std::uint64_t, 3> values_{};
  unsigned count_ = 0;
};

class RegionWork {
public:
  void noteSpread(const RegionTimes &visit, unsigned nodes);
  void noteFolded(const RegionTimes &visit, std::uint64_t limit);
  /// The region at another size, whose work is `ratio` times as much: what is known of it.
  RegionWork ofSize(double ratio) const;

  /// Whether the next visit is to be folded: its work is within `limit` (foldingLimit), or it has
  /// proved faster folded, as where other regions are folded whose data it needs. Call it once for
  /// each visit.
  /// `afterFolded`: the region before was folded, whichever it was. Regions work on the same data,
  /// so that what is neither small nor large does as that one: data travel where the next region is
  /// executed otherwise.
  bool folds(std::uint64_t limit, bool afterFolded);

  /// What the threads of one node need for it; until it was folded, what its first thread has
  /// worked, for all nodes. 0 before the first visit.
  std::uint64_t alone() const { return folded_.value() ? folded_.value() : work_.value(); }
  /// Of the latest visits; 0 if there were none. The first one does not count.
  std::uint64_t spreadDuration() const { return spread_.value(); }
  std::uint64_t foldedDuration() const { return folded_.value(); }

  /// Visits that are spread where folding has proved slower; longer each time.
  static constexpr std::uint64_t kPatience = 256;

private:
  /// Folded visits in turn that do not count: they fetch what other nodes have.
  static constexpr unsigned kSettling = 4;

  void giveUp();
  bool isKnownToBeFaster(std::uint64_t limit);

  bool isVisited_ = false, isFolded_ = false;
  LatestMedian work_;            ///< Of all nodes where it was spread, by what one thread did.
  std::uint64_t workBefore_ = 0; ///< The same, when it was folded last.
  LatestMedian spread_, folded_;
  unsigned foldedInTurn_ = 0;
  std::uint64_t quickest_ = 0; ///< Of those.
  std::uint64_t patience_ = 0, nextPatience_ = kPatience;
  std::uint64_t fasterVisits_ = 0, nextComparison_ = kPatience; ///< Where it was faster.
};

} // namespace ompdsm
