// Worksharing.h: which iterations of a loop belong to a thread under the static schedules. Pure
// arithmetic, exact for every iteration type: all quantities are 128-bit integers.
#pragma once
#include <cstdint>

namespace ompdsm {

using Wide = __int128;

/// The schedule values of LLVM's entry points (enum sched_type of libomp), without modifier bits.
enum class Schedule : std::int32_t {
  StaticChunked = 33,
  Static = 34,
  Dynamic = 35,
  Guided = 36,
  Runtime = 37,
  Auto = 38,
  StaticChunkedSimd = 45, ///< schedule(simd: static, chunk).
  GuidedSimd = 46,
  RuntimeSimd = 47,
  DistributeChunked = 91, ///< Of a league's teams, as the next one.
  Distribute = 92,
};
inline constexpr std::int32_t kMonotonic = 1 << 29, kNonmonotonic = 1 << 30;
/// The schedule without its modifiers.
constexpr Schedule scheduleOf(std::int32_t value) {
  return static_cast<Schedule>(value & ~(kMonotonic | kNonmonotonic));
}
/// Of a loop with an ordered clause: 65 to 70 are the six above with it.
constexpr bool isOrdered(Schedule schedule) {
  return std::int32_t(schedule) > 64 && std::int32_t(schedule) <= 70;
}
constexpr Schedule withoutOrder(Schedule schedule) {
  return static_cast<Schedule>(std::int32_t(schedule) - 32);
}
constexpr bool isDistribute(Schedule schedule) {
  return schedule == Schedule::Distribute || schedule == Schedule::DistributeChunked;
}
/// The program asks that each thread gets its chunks in the order of the loop.
constexpr bool isMonotonic(std::int32_t value) { return value & kMonotonic; }

/// The iterations lower, lower + increment, ... that do not pass upper; increment is not 0.
struct LoopBounds {
  Wide lower = 0;
  Wide upper = 0;
  Wide increment = 1;

  Wide tripCount() const {
    Wide distance = increment > 0 ? upper - lower : lower - upper;
    Wide step = increment > 0 ? increment : -increment;
    return distance < 0 ? 0 : distance / step + 1;
  }
};

/// One thread's part: its first chunk, the distance to its next chunk, and whether it executes the
/// last iteration. An empty part has lower beyond upper in the loop's direction.
struct StaticPart {
  Wide lower = 0;
  Wide upper = 0;
  Wide stride = 0;
  bool last = false;
};

/// schedule(static): contiguous parts whose sizes differ by at most one. `minimum` and `maximum`
/// are the limits of the iteration type, within which all results lie. tripCount() > 0.
StaticPart staticPart(const LoopBounds &loop, unsigned thread, unsigned threads, Wide minimum,
                      Wide maximum);
/// schedule(static, chunk): chunks dealt round robin. A chunk below 1 counts as 1.
StaticPart staticChunkedPart(const LoopBounds &loop, Wide chunk, unsigned thread, unsigned threads,
                             Wide minimum, Wide maximum);

} // namespace ompdsm
