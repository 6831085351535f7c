// PollingRhythm.h: for how long a sleeper may leave TCP to threads that will poll again.
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace ompdsm::fabric {

/// Programs alternate between computing and waiting, where they poll. The longest of the last gaps
/// between two pollings tells when the next one is due. What comes in a gap waits for it; if some
/// of that is urgent, patience is short. Any thread; all relaxed: it is an estimate.
template <class Clock> class BasicPollingRhythm {
public:
  using Microseconds = std::chrono::microseconds;
  static constexpr Microseconds kPatience{2000}, kPatienceIfUrgent{400};
  /// Pollings after an urgent message until patience is long again; so that one that comes for the
  /// first time in as long, and waits for a gap or two, has cost little of the time.
  static constexpr unsigned kRemembered = 32;

  /// The first of the pollers comes, and the last of them has left.
  void onBegin() {
    const std::int64_t gap = (now() - at(ended_)).count();
    const std::int64_t longest = gap_.load(std::memory_order_relaxed);
    gap_.store(std::max(gap, longest - longest / kFadesIn), std::memory_order_relaxed);
    if (const unsigned calm = calm_.load(std::memory_order_relaxed); calm < kRemembered)
      calm_.store(calm + 1, std::memory_order_relaxed);
  }
  void onEnd() { ended_.store(now().count(), std::memory_order_relaxed); }
  /// A message has been taken for which somebody may wait.
  void onUrgent() { calm_.store(0, std::memory_order_relaxed); }

  Microseconds patience() const {
    return calm_.load(std::memory_order_relaxed) < kRemembered ? kPatienceIfUrgent : kPatience;
  }
  /// How long the next polling may still take to come; 0 if it is overdue, or not expected within
  /// the patience.
  Microseconds left() const {
    const Microseconds expected(2 * gap_.load(std::memory_order_relaxed));
    return expected > patience() ? Microseconds(0)
                                 : std::max(Microseconds(0), at(ended_) + expected - now());
  }

private:
  /// A longer gap than usual is remembered for some such number of pollings.
  static constexpr std::int64_t kFadesIn = 8;
  static Microseconds now() {
    return std::chrono::duration_cast<Microseconds>(Clock::now().time_since_epoch());
  }
  static Microseconds at(const std::atomic<std::int64_t> &time) {
    return Microseconds(time.load(std::memory_order_relaxed));
  }
  std::atomic<std::int64_t> gap_{std::int64_t(1) << 40}; ///< Microseconds; at first nobody polls.
  std::atomic<std::int64_t> ended_{0};                   ///< When.
  std::atomic<unsigned> calm_{0};                        ///< Pollings since an urgent message.
};

using PollingRhythm = BasicPollingRhythm<std::chrono::steady_clock>;

} // namespace ompdsm::fabric
