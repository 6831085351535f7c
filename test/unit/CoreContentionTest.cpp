// CoreContentionTest.cpp: who polls notices that others want the core, and that only.
#include "protocol/engine/CoreContention.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

constexpr std::uint64_t kLate = CoreContention::kLate, kLeast = CoreContention::kLeast;

TEST(CoreContention, ALateReturnFromAnotherThreadsTurnIsRemembered) {
  CoreContention contention;
  EXPECT_FALSE(contention.isSeen(100000));
  contention.onYield(100000, 100000 + kLate, /*switched=*/true);
  EXPECT_TRUE(contention.isSeen(99999 + kLate + kLeast));
  EXPECT_FALSE(contention.isSeen(100000 + kLate + kLeast));
}

TEST(CoreContention, IsRememberedForLongerWhenItIsSeenAgainSoon) {
  CoreContention contention;
  std::uint64_t now = 100000, remembered = 0;
  for (int time = 0; time < 10; ++time) {
    contention.onYield(now, now + kLate, /*switched=*/true);
    now += kLate;
    const std::uint64_t seen = now;
    while (contention.isSeen(now))
      now += 1000;
    EXPECT_GE(now - seen, remembered);
    remembered = now - seen;
  }
  EXPECT_EQ(remembered, CoreContention::kMost);
  now += 2 * CoreContention::kMost;
  contention.onYield(now, now + kLate, /*switched=*/true);
  EXPECT_FALSE(contention.isSeen(now + kLate + kLeast)) << "it had been forgotten";
}

TEST(CoreContention, AServiceThreadIsNone) {
  CoreContention contention;
  contention.onYield(100000, 100000 + kLate - 1, /*switched=*/true);
  EXPECT_FALSE(contention.isSeen(100001));
}

TEST(CoreContention, AProcessorThatTheHostStopsIsNone) {
  CoreContention contention;
  contention.onYield(100000, 100000 + 100 * kLate, /*switched=*/false);
  EXPECT_FALSE(contention.isSeen(100001 + 100 * kLate));
}

TEST(CoreContention, YieldingAloneSeesNothing) {
  CoreContention contention;
  std::uint64_t now = 100000;
  for (int time = 0; time < 100; ++time)
    contention.yield(now, [&] { return ++now; });
  EXPECT_FALSE(contention.isSeen(now));
}

} // namespace
} // namespace ompdsm::test
