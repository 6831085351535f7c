// StaticScheduleTest.cpp: the static schedules give every iteration to exactly one thread.
//
// The loop that compiled code runs is simulated as clang 22 generates it: in the iteration type,
// with the upper bound clipped to the loop's, and the stride added after each chunk.
#include "libompdsm/src/Worksharing.h"
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <vector>

using namespace ompdsm;

namespace {

struct Executed {
  std::map<std::int64_t, unsigned> times; ///< How often each value of the variable was met.
  unsigned lastFlags = 0;
  std::vector<std::vector<std::int64_t>> byThread;
  unsigned lastThread = 0;
};

template <class T>
void runThread(Executed &result, T lower, T upper, std::int64_t increment, const StaticPart &part,
               bool chunked) {
  T from = T(part.lower), to = T(part.upper), stride = T(part.stride);
  std::vector<std::int64_t> mine;
  for (unsigned chunks = 0; chunks < 1000; ++chunks) {
    to = increment > 0 ? std::min(to, upper) : std::max(to, upper);
    if (increment > 0 ? from > to : from < to)
      break;
    for (Wide i = from; increment > 0 ? i <= Wide(to) : i >= Wide(to); i += increment) {
      ++result.times[std::int64_t(i)];
      mine.push_back(std::int64_t(i));
    }
    if (!chunked)
      break;
    from = T(from + stride);
    to = T(to + stride);
  }
  (void)lower;
  result.byThread.push_back(mine);
}

template <class T>
Executed runLoop(T lower, T upper, std::int64_t increment, std::int64_t chunk, unsigned threads) {
  LoopBounds loop{lower, upper, increment};
  Wide minimum = std::numeric_limits<T>::min(), maximum = std::numeric_limits<T>::max();
  Executed result;
  for (unsigned thread = 0; thread < threads; ++thread) {
    StaticPart part = chunk ? staticChunkedPart(loop, chunk, thread, threads, minimum, maximum)
                            : staticPart(loop, thread, threads, minimum, maximum);
    if (part.last) {
      ++result.lastFlags;
      result.lastThread = thread;
    }
    runThread<T>(result, lower, upper, increment, part, chunk != 0);
  }
  return result;
}

/// Each iteration once, nothing else, one last flag, on the thread of the last iteration.
void expectExact(const Executed &result, Wide lower, Wide upper, Wide increment) {
  LoopBounds loop{lower, upper, increment};
  EXPECT_EQ(result.times.size(), std::size_t(loop.tripCount()));
  Wide last = lower + (loop.tripCount() - 1) * increment;
  for (auto [value, times] : result.times) {
    EXPECT_EQ(times, 1u) << "iteration " << value;
    EXPECT_EQ((value - lower) % increment, 0);
    EXPECT_TRUE(increment > 0 ? value >= lower && value <= upper
                              : value <= lower && value >= upper);
  }
  EXPECT_EQ(result.lastFlags, 1u);
  const std::vector<std::int64_t> &mine = result.byThread[result.lastThread];
  ASSERT_FALSE(mine.empty());
  EXPECT_EQ(mine.back(), std::int64_t(last));
}

} // namespace

TEST(StaticSchedule, EveryIterationBelongsToOneThread) {
  for (unsigned threads : {1u, 2u, 3u, 7u, 16u})
    for (std::int64_t chunk : {0, 1, 2, 5, 1000})
      for (std::int64_t increment : {1, 2, 3, 50})
        for (std::int64_t trips : {1, 2, 3, 7, 16, 17, 100}) {
          SCOPED_TRACE(testing::Message() << threads << " threads, chunk " << chunk << ", increment "
                                          << increment << ", " << trips << " iterations");
          auto upper = std::int32_t(-20 + (trips - 1) * increment);
          expectExact(runLoop<std::int32_t>(-20, upper, increment, chunk, threads), -20, upper,
                      increment);
          auto lower = upper;
          expectExact(runLoop<std::int32_t>(lower, -20, -increment, chunk, threads), lower, -20,
                      -increment);
        }
}

TEST(StaticSchedule, BlocksDifferByAtMostOneIteration) {
  Executed result = runLoop<std::int64_t>(0, 9, 1, 0, 4);
  std::vector<std::size_t> sizes;
  for (auto &mine : result.byThread)
    sizes.push_back(mine.size());
  EXPECT_EQ(sizes, (std::vector<std::size_t>{3, 3, 2, 2}));
}

TEST(StaticSchedule, ChunksAreDealtRoundRobin) {
  Executed result = runLoop<std::int32_t>(0, 9, 1, 2, 3);
  EXPECT_EQ(result.byThread[0], (std::vector<std::int64_t>{0, 1, 6, 7}));
  EXPECT_EQ(result.byThread[1], (std::vector<std::int64_t>{2, 3, 8, 9}));
  EXPECT_EQ(result.byThread[2], (std::vector<std::int64_t>{4, 5}));
}

TEST(StaticSchedule, ThreadsWithoutIterationsRunNone) {
  for (std::int64_t chunk : {0, 1, 4}) {
    Executed result = runLoop<std::uint32_t>(0, 0, 1, chunk, 8);
    expectExact(result, 0, 0, 1);
    result = runLoop<std::uint64_t>(0, 1, 1, chunk, 8);
    expectExact(result, 0, 1, 1);
  }
}

TEST(StaticSchedule, BoundsAtTheEndsOfTheTypeDoNotWrap) {
  constexpr auto most = std::numeric_limits<std::int32_t>::max();
  constexpr auto least = std::numeric_limits<std::int32_t>::min();
  expectExact(runLoop<std::int32_t>(most - 2, most, 1, 0, 8), most - 2, most, 1);
  expectExact(runLoop<std::int32_t>(least + 2, least, -1, 0, 8), least + 2, least, -1);
  constexpr auto unsignedMost = std::numeric_limits<std::uint32_t>::max();
  expectExact(runLoop<std::uint32_t>(unsignedMost - 1, unsignedMost, 1, 0, 4), unsignedMost - 1,
              unsignedMost, 1);
  expectExact(runLoop<std::uint32_t>(2, 0, -1, 0, 8), 2, 0, -1);
}

TEST(StaticSchedule, AStrideThatLeavesTheTypeDoesNotBringAThreadBack) {
  // 2^31 - 2 iterations in chunks of 2^30: four threads times the chunk does not fit in 32 bits.
  LoopBounds loop{0, 2147483645, 1};
  StaticPart part = staticChunkedPart(loop, 1 << 30, 1, 4, INT32_MIN, INT32_MAX);
  EXPECT_EQ(part.lower, 1 << 30);
  EXPECT_EQ(part.upper, 2147483645);
  EXPECT_EQ(part.lower + part.stride, 2147483646);
}

TEST(StaticSchedule, TheWholeUnsignedRangeIsALoop) {
  LoopBounds loop{0, Wide(UINT64_MAX), 1};
  EXPECT_EQ(loop.tripCount(), Wide(1) << 64);
  StaticPart first = staticPart(loop, 0, 2, 0, Wide(UINT64_MAX));
  StaticPart second = staticPart(loop, 1, 2, 0, Wide(UINT64_MAX));
  EXPECT_EQ(first.upper + 1, second.lower);
  EXPECT_EQ(second.upper, Wide(UINT64_MAX));
}

TEST(StaticSchedule, ModifiersOfTheScheduleAreStripped) {
  EXPECT_EQ(scheduleOf(34 | (1 << 29)), Schedule::Static);
  EXPECT_EQ(scheduleOf(33 | (1 << 30)), Schedule::StaticChunked);
}

TEST(StaticSchedule, CanaryTheCheckerSeesAnIterationThatRunsTwice) {
  Executed result;
  runThread<std::int32_t>(result, 0, 3, 1, StaticPart{0, 2, 4, false}, false);
  runThread<std::int32_t>(result, 0, 3, 1, StaticPart{2, 3, 4, true}, false);
  EXPECT_EQ(result.times[2], 2u);
}
