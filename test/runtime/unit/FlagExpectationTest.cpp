// FlagExpectationTest.cpp: whom a thread asks for the flags that it waits for, and for how many.
#include "libompdsm/src/FlagExpectation.h"
#include <gtest/gtest.h>

namespace ompdsm {
namespace {

const FlagExpectation::Loop kLoop{1, 0}, kOther{1, 2};

TEST(FlagExpectation, BeginsWithOneNodeAlone) {
  FlagExpectation from(3);
  EXPECT_TRUE(from.isSure());
  EXPECT_EQ(from.node(), 3);
}

TEST(FlagExpectation, AsksAllUntilItIsClearWhoAnswers) {
  FlagExpectation from(3);
  from.noteGiver(1, false);
  for (unsigned times = 0; times < 8; ++times) { // four times two, as it was sure before
    EXPECT_FALSE(from.isSure()) << times;
    from.noteGiver(1, false);
  }
  EXPECT_TRUE(from.isSure());
  EXPECT_EQ(from.node(), 1);
}

TEST(FlagExpectation, WhereGiversChangeItIsNeverSure) {
  FlagExpectation from(0);
  for (unsigned round = 0; round < 20; ++round)
    for (const NodeId node : {0, 1})
      for (unsigned times = 0; times < 9; ++times)
        from.noteGiver(node, false);
  from.noteGiver(0, false);
  EXPECT_FALSE(from.isSure());
  for (unsigned times = 0; times < 1024; ++times)
    from.noteGiver(0, false);
  EXPECT_TRUE(from.isSure());
}

TEST(FlagExpectation, PatienceGrowsWhereItWasInVain) {
  FlagExpectation from(0);
  const auto least = from.patience();
  from.noteGiver(0, true);
  EXPECT_EQ(from.patience(), 2 * least);
  for (unsigned times = 0; times < 20; ++times)
    from.noteGiver(0, true);
  EXPECT_LE(from.patience(), 100 * least);
  for (unsigned times = 0; times < 20; ++times)
    from.noteGiver(0, false);
  EXPECT_EQ(from.patience(), least);
}

TEST(FlagExpectation, AsksAheadForWhatComesInARow) {
  FlagExpectation from(0);
  for (const std::uint64_t iteration : {5, 6, 7}) {
    from.noteNeed(kLoop, iteration);
    EXPECT_FALSE(from.isAskedFor());
    EXPECT_EQ(from.ask(), iteration == 7 ? 2u : 0u);
  }
  for (const std::uint64_t iteration : {8, 9}) {
    from.noteNeed(kLoop, iteration);
    EXPECT_TRUE(from.isAskedFor());
  }
  from.noteNeed(kLoop, 10);
  EXPECT_FALSE(from.isAskedFor());
  EXPECT_EQ(from.ask(), 5u);
  for (std::uint64_t iteration = 11; iteration < 500; ++iteration) {
    from.noteNeed(kLoop, iteration);
    if (!from.isAskedFor())
      EXPECT_LE(from.ask(), FlagExpectation::kMostAhead);
  }
}

/// Or it would wait for what nobody was asked for: the iterations between may be others'.
TEST(FlagExpectation, WhatIsSkippedEndsWhatWasAskedAhead) {
  FlagExpectation from(0);
  const auto askAhead = [&](const FlagExpectation::Loop &loop) {
    for (const std::uint64_t iteration : {5, 6, 7, 8}) {
      from.noteNeed(loop, iteration);
      if (!from.isAskedFor())
        from.ask();
    }
  };
  askAhead(kLoop);
  from.noteNeed(kLoop, 10);
  EXPECT_FALSE(from.isAskedFor());
  askAhead(kLoop);
  from.noteNeed(kOther, 9);
  EXPECT_FALSE(from.isAskedFor());
}

TEST(FlagExpectation, WhoIsNotSureAsksForOneAtATime) {
  FlagExpectation from(0);
  from.noteGiver(1, false);
  for (const std::uint64_t iteration : {5, 6, 7, 8}) {
    from.noteNeed(kLoop, iteration);
    EXPECT_FALSE(from.isAskedFor());
    EXPECT_EQ(from.ask(), 0u);
  }
}

} // namespace
} // namespace ompdsm
