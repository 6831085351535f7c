// WaitStatistics.h: how often threads wait for others, and how long.
#pragma once
#include <atomic>
#include <cstdint>

namespace ompdsm {

/// Of one node's threads; relaxed, read at any time.
struct WaitStatistics {
  std::atomic<std::uint64_t> waits{0}, nanoseconds{0};
};

} // namespace ompdsm
