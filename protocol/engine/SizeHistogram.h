// SizeHistogram.h: how many messages of which size left a node, for its statistics.
//
// Guarantees: any thread may add and read at any time; what was added before a read by the reader's
// own synchronisation is in it.
#pragma once
#include "fabric/Transport.h"
#include <array>
#include <atomic>
#include <bit>

namespace ompdsm {

class SizeHistogram {
public:
  /// Bucket k counts sizes of 2^k to 2^(k+1) - 1 bytes; the last one also has the largest message.
  static constexpr unsigned kBuckets = std::bit_width(fabric::kMaxMessageBytes);

  /// `bytes`: 1 to fabric::kMaxMessageBytes.
  void add(std::size_t bytes) {
    counts_[unsigned(std::bit_width(bytes)) - 1].fetch_add(1, std::memory_order_relaxed);
  }
  std::uint64_t count(unsigned bucket) const {
    return counts_.at(bucket).load(std::memory_order_relaxed);
  }

private:
  std::array<std::atomic<std::uint64_t>, kBuckets> counts_{};
};

} // namespace ompdsm
