// FlagExpectation.h: from whom a thread expects the flags that it waits for, and which comes next.
#pragma once
#include "protocol/core/Types.h"
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

namespace ompdsm {

/// Of one thread; guarded by its owner.
class FlagExpectation {
public:
  using Loop = std::pair<std::uint64_t, std::uint64_t>;
  /// How many iterations behind the one that it needs now a thread asks for at most.
  static constexpr std::uint64_t kMostAhead = 64;

  explicit FlagExpectation(NodeId node) : node_(node) {}
  NodeId node() const { return node_; }
  /// Whether only that node is asked.
  bool isSure() const { return times_ >= wanted_; }
  /// After so long all are asked again, and urgently.
  std::chrono::microseconds patience() const { return patience_; }

  /// `giver` has raised what the thread waited for, perhaps behind the end of its patience.
  void noteGiver(NodeId giver, bool hasAskedAgain) {
    patience_ =
        std::clamp(hasAskedAgain ? patience_ * 2 : patience_ / 2, kLeastPatience, kMostPatience);
    if (giver == node_) {
      if (++times_ >= kMostWanted)
        wanted_ = kLeastWanted;
      return;
    }
    if (isSure())
      wanted_ = std::min(wanted_ * 4, kMostWanted);
    node_ = giver;
    times_ = 0;
  }

  /// The thread needs this flag, which is not its node's own.
  void noteNeed(const Loop &loop, std::uint64_t iteration) {
    const bool isNext = loop == loop_ && iteration == next_;
    inRow_ = isNext ? inRow_ + 1 : 0;
    if (!isNext)
      askedEnd_ = 0; // What is ahead there may be nobody's, or the node's own.
    loop_ = loop;
    next_ = iteration + 1;
  }
  /// Whether the flag needed last was asked for ahead.
  bool isAskedFor() const { return isSure() && next_ <= askedEnd_; }
  /// It is asked for now. Returns how many are behind it: as many as came in a row before.
  std::uint64_t ask() {
    const std::uint64_t ahead = isSure() && inRow_ > 1 ? std::min(inRow_, kMostAhead) : 0;
    askedEnd_ = next_ + ahead;
    return ahead;
  }

private:
  /// From so many times in a row on only one node is asked. Each error makes it four times as many;
  /// as before after the most.
  static constexpr unsigned kLeastWanted = 2, kMostWanted = 512;
  static constexpr std::chrono::microseconds kLeastPatience{200}, kMostPatience{6400};

  NodeId node_;
  unsigned times_ = kLeastWanted, wanted_ = kLeastWanted; ///< That it was that one, in a row.
  std::chrono::microseconds patience_ = kLeastPatience;
  Loop loop_{};
  std::uint64_t next_ = 0, inRow_ = 0;
  std::uint64_t askedEnd_ = 0; ///< Behind what was asked for.
};

} // namespace ompdsm
