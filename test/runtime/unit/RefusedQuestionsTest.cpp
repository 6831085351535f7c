// RefusedQuestionsTest.cpp: which loops run with checks without asking.
#include "libompdsm/src/RefusedQuestions.h"
#include <gtest/gtest.h>

namespace ompdsm {
namespace {

constexpr std::uint64_t kSoon = RefusedQuestions::kSoonCycles / 2,
                        kLate = RefusedQuestions::kSoonCycles * 2;

struct RefusedQuestionsTest : testing::Test {
  /// How many of so many loops, `cycles` after each other, ask at `place`.
  unsigned asked(unsigned loops, std::uint64_t cycles, bool isValid = false) {
    unsigned questions = 0;
    for (unsigned i = 0; i < loops; ++i) {
      now += cycles;
      if (refused.isPointless(&place))
        continue;
      ++questions;
      if (isValid)
        refused.onValid(&place);
      else
        refused.onRefused(&place, now);
    }
    return questions;
  }
  RefusedQuestions refused;
  std::uint64_t now = 1'000'000;
  int place = 0, other = 0;
};

TEST_F(RefusedQuestionsTest, LongLoopsAlwaysAsk) { EXPECT_EQ(asked(100, kLate), 100u); }

TEST_F(RefusedQuestionsTest, ShortOnesAskMoreAndMoreRarely) {
  EXPECT_EQ(asked(4, kSoon), 3u); // the first two, and behind one that is left out
  const unsigned questions = asked(3200, kSoon);
  EXPECT_GE(questions, 3200 / (RefusedQuestions::kMostPatience + 1));
  EXPECT_LE(questions, 3200 / (RefusedQuestions::kMostPatience + 1) + 5);
}

TEST_F(RefusedQuestionsTest, ALoopThatMayRunWithoutChecksAsksEachTime) {
  asked(1000, kSoon);
  while (refused.isPointless(&place)) {
  }
  EXPECT_EQ(asked(100, kSoon, /*isValid=*/true), 100u);
}

TEST_F(RefusedQuestionsTest, WhoComesBackLateAsksAgain) {
  asked(1000, kSoon);
  while (refused.isPointless(&place)) {
  }
  now += 100 * kLate;
  refused.onRefused(&place, now);
  EXPECT_FALSE(refused.isPointless(&place));
}

TEST_F(RefusedQuestionsTest, PlacesAreKeptApart) {
  asked(1000, kSoon);
  EXPECT_FALSE(refused.isPointless(&other));
}

} // namespace
} // namespace ompdsm
