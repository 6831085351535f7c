// GracePeriodTest.cpp: who may still hold a permission.
#include "protocol/engine/GracePeriod.h"
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

} // namespace
} // namespace ompdsm::test
