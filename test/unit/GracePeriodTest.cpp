// GracePeriodTest.cpp: who may still hold a permission; and streams of misses.
#include "protocol/engine/GracePeriod.h"
#include "protocol/engine/Prefetch.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

TEST(GracePeriod, AStampIsQuietWhenEveryOtherThreadHasSynchronisedSince) {
  GracePeriod grace;
  ThreadRegistration *a = grace.add(), *b = grace.add(), *c = grace.add();
  std::uint64_t stamp = grace.stamp();
  EXPECT_FALSE(grace.isQuiet(stamp, a));
  grace.syncPoint(b);
  EXPECT_FALSE(grace.isQuiet(stamp, a));
  grace.goOffline(c);
  EXPECT_TRUE(grace.isQuiet(stamp, a));
  EXPECT_FALSE(grace.isQuiet(stamp, b)) << "a itself has not";
  std::uint64_t later = grace.stamp();
  EXPECT_TRUE(grace.isQuiet(stamp, a)) << "an older stamp stays quiet";
  EXPECT_FALSE(grace.isQuiet(later, a)) << "what b did was before it";
}

TEST(GracePeriod, AThreadThatComesOnlineHoldsNothingOld) {
  GracePeriod grace;
  ThreadRegistration *a = grace.add(), *b = grace.add();
  grace.goOffline(b);
  std::uint64_t stamp = grace.stamp();
  EXPECT_TRUE(grace.othersOffline(a));
  grace.goOnline(b);
  EXPECT_TRUE(grace.isQuiet(stamp, a));
  EXPECT_FALSE(grace.othersOffline(a));
  EXPECT_FALSE(grace.isQuiet(grace.stamp(), a));
}

TEST(GracePeriod, ASynchronisationPointDoesNotBringAThreadOnline) {
  GracePeriod grace;
  ThreadRegistration *a = grace.add(), *b = grace.add();
  grace.goOffline(b);
  grace.syncPoint(b);
  EXPECT_TRUE(grace.othersOffline(a));
}

TEST(GracePeriod, AThreadThatEndedIsNotWaitedForAndItsPlaceIsUsedAgain) {
  GracePeriod grace;
  ThreadRegistration *a = grace.add(), *b = grace.add();
  std::uint64_t stamp = grace.stamp();
  grace.remove(b);
  EXPECT_TRUE(grace.isQuiet(stamp, a));
  EXPECT_TRUE(grace.othersOffline(a));
  EXPECT_EQ(grace.add(), b);
  EXPECT_FALSE(grace.othersOffline(a)) << "threads start online";
}

TEST(PrefetchStreams, ASequenceDoublesItsWindowUpToTheLimit) {
  PrefetchStreams streams;
  Address at = 0x10000;
  unsigned window = streams.onMiss(at, 8);
  EXPECT_EQ(window, 0u) << "one miss is no sequence";
  for (unsigned expected : {1, 2, 4, 8, 8}) {
    at += 256 * (window + 1);
    streams.onFetched(at);
    window = streams.onMiss(at, 8);
    EXPECT_EQ(window, expected);
  }
}

TEST(PrefetchStreams, AJumpBeginsAnew) {
  PrefetchStreams streams;
  streams.onMiss(0x10000, 8);
  streams.onFetched(0x10100);
  EXPECT_EQ(streams.onMiss(0x20000, 8), 0u);
  streams.onFetched(0x20100);
  EXPECT_EQ(streams.onMiss(0x10100, 8), 1u) << "streams beside each other do not disturb";
}

TEST(PrefetchStreams, WithLimitZeroNothingIsFetchedAhead) {
  PrefetchStreams streams;
  Address at = 0x10000;
  for (int i = 0; i < 5; ++i, at += 256) {
    EXPECT_EQ(streams.onMiss(at, 0), 0u);
    streams.onFetched(at + 256);
  }
}

TEST(PrefetchStreams, MoreStreamsThanPlacesForgetTheOldest) {
  PrefetchStreams streams;
  for (Address stream = 1; stream <= 17; ++stream) {
    streams.onMiss(stream << 20, 8);
    streams.onFetched((stream << 20) + 256);
  }
  EXPECT_EQ(streams.onMiss((Address(17) << 20) + 256, 8), 1u);
  streams.onFetched((Address(17) << 20) + 768);
  EXPECT_EQ(streams.onMiss((Address(1) << 20) + 256, 8), 0u);
}

} // namespace
} // namespace ompdsm::test
