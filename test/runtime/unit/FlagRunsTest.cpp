// FlagRunsTest.cpp: which flags are known, which are the node's own, and which a release covers.
#include "libompdsm/src/FlagRuns.h"
#include <gtest/gtest.h>

namespace ompdsm {
namespace {

TEST(FlagRuns, RaisedOnesAreKnownAtOnce) {
  FlagRuns flags;
  EXPECT_FALSE(flags.isKnown(700));
  flags.raise(700);
  EXPECT_TRUE(flags.isKnown(700));
  EXPECT_TRUE(flags.isOwn(700));
  EXPECT_FALSE(flags.isKnown(699));
  EXPECT_FALSE(flags.isKnown(700 + FlagRuns::kRun));
}

TEST(FlagRuns, ReleasesCoverWhatWasRaisedBefore) {
  FlagRuns flags;
  flags.raise(3);
  flags.raise(FlagRuns::kRun + 3);
  const FlagRuns::Iterations taken = flags.takeUnreleased();
  EXPECT_FALSE(flags.hasUnreleased());
  EXPECT_FALSE(flags.isReleased(3)) << "it has only begun";
  flags.raise(4); // meanwhile
  flags.noteReleased(taken);
  EXPECT_TRUE(flags.isReleased(3));
  EXPECT_TRUE(flags.isReleased(FlagRuns::kRun + 3));
  EXPECT_FALSE(flags.isReleased(4));
  EXPECT_TRUE(flags.hasUnreleased());
  flags.noteReleased(flags.takeUnreleased());
  EXPECT_TRUE(flags.isReleased(4));
}

TEST(FlagRuns, OthersFlagsAreKnownAndNotReleasedHere) {
  FlagRuns flags;
  flags.learn(10, 3);
  EXPECT_TRUE(flags.isKnown(10) && flags.isKnown(12));
  EXPECT_FALSE(flags.isKnown(9) || flags.isKnown(13));
  EXPECT_FALSE(flags.isOwn(10) || flags.isReleased(10) || flags.hasUnreleased());
}

TEST(FlagRuns, CountsThoseInARowToTheEndOfTheRun) {
  FlagRuns flags;
  for (std::uint64_t k = FlagRuns::kRun - 2; k < FlagRuns::kRun + 2; ++k)
    flags.raise(k);
  flags.raise(5);
  EXPECT_EQ(flags.countReleased(5), 0u);
  flags.noteReleased(flags.takeUnreleased());
  EXPECT_EQ(flags.countReleased(5), 1u);
  EXPECT_EQ(flags.countReleased(FlagRuns::kRun - 2), 2u);
  EXPECT_EQ(flags.countReleased(FlagRuns::kRun), 2u);
  FlagRuns other;
  other.learn(FlagRuns::kRun - 2, 4); // more than the run has
  EXPECT_TRUE(other.isKnown(FlagRuns::kRun - 1));
  EXPECT_FALSE(other.isKnown(FlagRuns::kRun));
}

} // namespace
} // namespace ompdsm
