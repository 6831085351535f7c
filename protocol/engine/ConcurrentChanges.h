// ConcurrentChanges.h: blocks that several nodes have changed between the same two barriers. A
// program without data races has changed different bytes there: false sharing, which costs a twin,
// a comparison and messages each time. At the home, which hears of all changes. Under the engine's
// lock; kept only if somebody wants to see it.
//
// What a home writes while nobody shares the block is not seen, and what one node writes and
// another one reads of the same block leaves no such trace. Only what is sent at barriers is
// counted: of what is sent at the release of a lock, which another node then gets, the two may have
// changed the same.
#pragma once
#include "protocol/core/Types.h"
#include "protocol/engine/AddressHash.h"
#include <algorithm>
#include <tsl/robin_map.h>
#include <vector>

namespace ompdsm {

/// Also the wire form of statistics.
struct ChangedTogether {
  std::uint64_t block = 0;     ///< Its address.
  std::uint64_t intervals = 0; ///< How often.
};

class ConcurrentChanges {
public:
  /// Blocks that are remembered; of more than these, those that are met first.
  static constexpr std::size_t kMostBlocks = std::size_t(1) << 16;

  /// `writer` has changed the block in interval `epoch`, and says so at the barrier at its end.
  void onChange(Address block, NodeId writer, std::uint32_t epoch) {
    if (latest_.size() >= kMostBlocks && !latest_.contains(block))
      return;
    Latest &latest = latest_[block];
    if (latest.epoch != epoch) {
      latest = {epoch, writer, false, latest.intervals};
    } else if (latest.writer != writer && !latest.isCounted) {
      latest.isCounted = true;
      ++latest.intervals;
      ++total_;
    }
  }
  std::uint64_t total() const { return total_; } ///< Of all blocks and intervals.
  /// At most `most` blocks, the most frequent first.
  std::vector<ChangedTogether> worst(std::size_t most) const {
    std::vector<ChangedTogether> all;
    for (const auto &[block, latest] : latest_)
      if (latest.intervals != 0)
        all.push_back({block, latest.intervals});
    const auto isWorse = [](const ChangedTogether &a, const ChangedTogether &b) {
      return a.intervals != b.intervals ? a.intervals > b.intervals : a.block < b.block;
    };
    std::sort(all.begin(), all.end(), isWorse);
    all.resize(std::min(all.size(), most));
    return all;
  }

private:
  struct Latest {
    std::int64_t epoch = -1; ///< Of its latest change; negative: none.
    NodeId writer = 0;
    bool isCounted = false; ///< In that interval.
    std::uint64_t intervals = 0;
  };
  tsl::robin_map<Address, Latest, AddressHash> latest_;
  std::uint64_t total_ = 0;
};

} // namespace ompdsm
