// CoreContention.h: whether others want the cores of threads that poll.
//
// Who waits polls, as to sleep and be woken costs more than most waits
// (libompdsm/src/WaitPolicy.h). Where other programs run on the same cores, that is wrong: whom a
// yield lets go on has the core for some milliseconds, while what is waited for comes, and a thread
// that polls away its share of the core has to wait longer when it has something to do. A thread
// that comes back late from a yield and has been switched for another has seen that; for a while
// all of the node poll for a short time only, and for longer each time that it is seen again soon.
// (A virtual processor that the host stops comes back late, too, but no other thread has run on
// it.)
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <sched.h>
#include <sys/resource.h>

namespace ompdsm {

/// Times are in microseconds, of one clock. Any thread may call.
class CoreContention {
public:
  /// Who comes back after this time has waited for another's turn: a scheduler's takes some
  /// milliseconds, that of a service thread some ten microseconds.
  static constexpr std::uint64_t kLate = 1500;
  /// For so long it is remembered, at first and at most.
  static constexpr std::uint64_t kLeast = 20000, kMost = 640000;

  bool isSeen(std::uint64_t now) const { return now < until_.load(std::memory_order_relaxed); }
  /// Yields the calling thread's core, at `now`; `clock` tells the time.
  template <class Clock> void yield(std::uint64_t now, Clock clock) {
    const long before = switches();
    (void)sched_yield();
    onYield(now, clock(), switches() != before);
  }
  /// A thread had yielded its core from `begin` to `end`; `switched`: another has run there.
  void onYield(std::uint64_t begin, std::uint64_t end, bool switched) {
    if (end - begin < kLate || !switched)
      return;
    // Of threads that see it at the same time one may be forgotten.
    const std::uint64_t memory = memory_.load(std::memory_order_relaxed);
    const bool soon = end < until_.load(std::memory_order_relaxed) + memory;
    const std::uint64_t next = soon ? std::min(2 * memory, kMost) : kLeast;
    memory_.store(next, std::memory_order_relaxed);
    until_.store(end + next, std::memory_order_relaxed);
  }

private:
  /// How often the core was taken from the calling thread, or left by a yield.
  static long switches() {
    rusage usage{};
    (void)getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nivcsw;
  }

  std::atomic<std::uint64_t> until_{0}, memory_{kLeast};
};

} // namespace ompdsm
