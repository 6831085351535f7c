// RhythmTest.cpp: for how long TCP is left to threads that will poll again.
#include "fabric/ofi/PollingRhythm.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

using namespace std::chrono_literals;

/// Stands still but for advance().
struct ManualClock {
  using duration = std::chrono::microseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<ManualClock>;
  static time_point now() { return time_point(time()); }
  static void advance(duration by) { time() += by; }

private:
  static duration &time() {
    static duration now = 1h;
    return now;
  }
};
using Rhythm = fabric::BasicPollingRhythm<ManualClock>;

/// So many gaps, each followed by a polling of 20 us.
void poll(Rhythm &rhythm, unsigned times, std::chrono::microseconds gap) {
  for (unsigned i = 0; i < times; ++i) {
    ManualClock::advance(gap);
    rhythm.onBegin();
    ManualClock::advance(20us);
    rhythm.onEnd();
  }
}

TEST(PollingRhythm, NobodyIsTrustedWhoHasNotPolledRegularly) {
  Rhythm rhythm;
  EXPECT_EQ(rhythm.left(), 0us);
  poll(rhythm, 3, 100us);
  EXPECT_EQ(rhythm.left(), 0us) << "the first gap was endless";
}

TEST(PollingRhythm, TheNextPollingIsDueAfterTwiceTheGap) {
  Rhythm rhythm;
  poll(rhythm, 300, 150us);
  EXPECT_EQ(rhythm.left(), 300us);
  ManualClock::advance(100us);
  EXPECT_EQ(rhythm.left(), 200us);
  ManualClock::advance(250us);
  EXPECT_EQ(rhythm.left(), 0us) << "it is overdue";
}

TEST(PollingRhythm, TheLongestGapCountsForAWhile) {
  Rhythm rhythm;
  poll(rhythm, 300, 100us);
  poll(rhythm, 1, 800us);
  EXPECT_EQ(rhythm.left(), 1600us);
  poll(rhythm, 2, 100us);
  EXPECT_GT(rhythm.left(), 1000us);
  poll(rhythm, 40, 100us);
  EXPECT_LT(rhythm.left(), 220us);
}

TEST(PollingRhythm, WhatIsExpectedTooLateIsNotAwaited) {
  Rhythm rhythm;
  poll(rhythm, 300, 900us);
  EXPECT_EQ(rhythm.left(), 1800us);
  poll(rhythm, 1, 1100us);
  EXPECT_EQ(rhythm.left(), 0us);
}

TEST(PollingRhythm, UrgentMessagesMakePatienceShort) {
  Rhythm rhythm;
  poll(rhythm, 300, 300us);
  EXPECT_EQ(rhythm.left(), 600us);
  rhythm.onUrgent();
  EXPECT_EQ(rhythm.patience(), Rhythm::kPatienceIfUrgent);
  EXPECT_EQ(rhythm.left(), 0us) << "not for 600 us";
  poll(rhythm, Rhythm::kRemembered - 1, 150us);
  EXPECT_EQ(rhythm.patience(), Rhythm::kPatienceIfUrgent);
  EXPECT_EQ(rhythm.left(), 300us);
  poll(rhythm, 1, 150us);
  EXPECT_EQ(rhythm.patience(), Rhythm::kPatience);
}

} // namespace
} // namespace ompdsm::test
