// AtomicTraffic.h: what a node keeps of atomic operations that it sends to their homes.
#pragma once
#include "protocol/engine/AtomicReads.h"
#include "protocol/engine/SumHistory.h"
#include "protocol/engine/Sums.h"
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <tsl/robin_map.h>

namespace ompdsm {

/// A thread that waits for the old value.
struct AtomicWait {
  std::byte *old = nullptr;
  std::size_t bytes = 0;
  std::atomic<bool> done{false};
};

/// When operations that nobody waits for leave: one alone at once, as others may wait for it, and
/// many together. What is left then leaves in a hurry (Messenger::hurry). Under the engine's lock.
class AtomicPace {
public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr unsigned kMostTogether = 256;
  static constexpr std::chrono::microseconds kAlone{50};

  /// Whether those that have been posted are to leave now. `areHurried`: some have been left to a
  /// hurry, so this one is not alone. `clock`, which takes as long as all of the rest, tells the
  /// time.
  template <class Clock> bool onPosted(bool areHurried, Clock clock) {
    if (++posted_ < kMostTogether) {
      if (areHurried)
        return false;
      const Time now = clock();
      if (now - leftAt_ < kAlone)
        return false;
      leftAt_ = now;
    }
    posted_ = 0;
    return true;
  }

private:
  unsigned posted_ = 0;
  Time leftAt_{};
};

/// Under the engine's lock, but for the interval and what Sums says.
struct AtomicTraffic {
  tsl::robin_map<std::uint64_t, AtomicWait *> waits; ///< By ticket.
  std::uint64_t nextTicket = 1;
  AtomicPace pace;
  AtomicReads reads;
  Sums sums;
  SumHistory sumHistory;
  std::chrono::microseconds sumsStay{20000}; ///< How long sums may stay where nobody releases.
  std::atomic<std::uint32_t> interval{0};    ///< Acquires of threads of the node.
};

} // namespace ompdsm
