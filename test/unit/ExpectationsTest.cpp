// ExpectationsTest.cpp: what a node has fetched behind a site is asked for when it comes there
// again, and not for long if nobody reads it.
#include "protocol/engine/FetchPrediction.h"
#include "test/unit/FetchCounts.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

constexpr SiteId kWritten = 1, kSettled = 2, kRead = 3;
constexpr unsigned kShift = 8;
constexpr std::size_t kBlock = std::size_t(1) << kShift;

ClusterOptions options(bool predictFetches = true) {
  ClusterOptions options;
  options.pushUpdates = false;
  options.homePatience = 0;
  options.prefetchBlocks = 0;
  options.predictFetches = predictFetches;
  return options;
}

/// The home writes `blocks` blocks, and node 1 reads them two barriers later, unless it `skips`
/// that.
void run(Duo &duo, int rounds, std::size_t blocks, bool skips = false) {
  static int value = 0;
  for (int round = 0; round < rounds; ++round) {
    ++value;
    for (std::size_t i = 0; i < blocks; ++i)
      duo.home.write<int>(duo.at(i * kBlock), value);
    duo.barrier(kWritten);
    duo.barrier(kSettled);
    for (std::size_t i = 0; i < blocks && !skips; ++i)
      EXPECT_EQ(duo.one.read<int>(duo.at(i * kBlock)), value);
    duo.barrier(kRead);
  }
}

TEST(Expectations, WhatWasFetchedTwiceBehindASiteIsAskedForWithTheArrival) {
  constexpr std::uint64_t kRounds = 50, kBlocks = 5;
  Duo duo(options());
  run(duo, kRounds, kBlocks);
  const FetchCounts counts(duo);
  EXPECT_EQ(counts.fetched, kRounds * kBlocks);
  EXPECT_EQ(counts.expected, (kRounds - 2) * kBlocks);
  EXPECT_EQ(counts.asks, kRounds - 2) << "one for all blocks of a home";
  EXPECT_EQ(counts.gets, 2 * kBlocks);
  EXPECT_EQ(counts.unread, 0u);
}

TEST(Expectations, WhatBecomesStaleInTheBarrierIsAskedForBehindIt) {
  Duo duo(options());
  for (int round = 1; round <= 50; ++round) {
    duo.home.write<int>(duo.at(0), round);
    duo.barrier(kWritten);
    EXPECT_EQ(duo.one.read<int>(duo.at(0)), round);
    duo.barrier(kRead);
  }
  const FetchCounts counts(duo);
  EXPECT_EQ(counts.expected, 48u);
  EXPECT_EQ(counts.asks + counts.gets, 50u) << "the Invalidate may have come before the arrival";
}

TEST(Expectations, WithoutPredictionsEverythingIsFetchedWhenItIsMissed) {
  Duo duo(options(/*predictFetches=*/false));
  run(duo, /*rounds=*/20, /*blocks=*/3);
  const FetchCounts counts(duo);
  EXPECT_EQ(counts.expected, 0u);
  EXPECT_EQ(counts.asks, 0u);
  EXPECT_EQ(counts.gets, 60u);
}

TEST(Expectations, WhatNobodyReadsIsGivenUp) {
  Duo duo(options());
  run(duo, /*rounds=*/4, /*blocks=*/3);
  const FetchCounts before(duo);
  run(duo, /*rounds=*/200, /*blocks=*/3, /*skips=*/true);
  const FetchCounts after(duo);
  EXPECT_EQ(after.unread - before.unread, 3u);
  EXPECT_LT(after.expected - before.expected, 3u * 100) << "until it is watched again";
  run(duo, /*rounds=*/400, /*blocks=*/3);
  EXPECT_GT(FetchCounts(duo).expected - after.expected, 3u * 100) << "it is believed again";
}

TEST(Expectations, ManyBlocksAtOnceAreFetchedWhenTheyAreMissed) {
  Duo duo(options());
  constexpr std::size_t kMany = FetchPrediction::kFewBlocks + 1;
  for (int round = 1; round <= 20; ++round) {
    for (std::size_t i = 0; i < kMany; ++i)
      duo.home.write<int>(duo.at(i * kBlock), round);
    duo.barrier(kWritten);
    duo.one.check(duo.at(0), kMany * kBlock, Access::Read);
    duo.barrier(kRead);
  }
  EXPECT_EQ(FetchCounts(duo).expected, 0u);
  EXPECT_EQ(FetchCounts(duo).gets, 20u);
}

TEST(Expectations, HomesMoveNevertheless) {
  ClusterOptions moving = options();
  moving.homePatience = 1;
  moving.areas = {{0, 4096, 0, kShift}, {8192, 4096, 0, kShift, /*migratable=*/true}};
  Duo duo(moving);
  const Address own = duo.cluster.at(1, 0);
  for (int round = 0; round < 200; ++round) {
    duo.home.write<int>(duo.at(0), round);
    duo.barrier(kWritten);
    duo.one.check(own, 4096, Access::Read); // the heir holds all of it
    if (round > 20)
      duo.one.write<int>(own, round);
    duo.barrier(kSettled); // asks here, where the home is to move
    EXPECT_EQ(duo.one.read<int>(duo.at(0)), round);
    duo.barrier(kRead);
    if (round == 20) {
      EXPECT_GT(FetchCounts(duo).asks, 10u);
    }
  }
  EXPECT_EQ(duo.cluster.engine(0).homeOf(own), 1u);
  EXPECT_GT(FetchCounts(duo).asks, 100u);
}

/// By itself.
void fetch(FetchPrediction &prediction, Address block) {
  prediction.onFetch(block, kShift);
  prediction.endTogether();
}

TEST(FetchPrediction, IsBounded) {
  FetchPrediction prediction;
  for (int round = 0; round < 3; ++round) {
    prediction.comeTo(kRead, false);
    for (Address i = 0; i < FetchPrediction::kMostOfInterval + 10; ++i)
      fetch(prediction, i << kShift);
  }
  prediction.comeTo(kRead, false);
  std::size_t blocks = 0;
  prediction.forEachExpected(/*last=*/true, [&](Address, bool isNew) {
    EXPECT_TRUE(isNew);
    ++blocks;
    return FetchPrediction::Found::Asked;
  });
  EXPECT_EQ(blocks, FetchPrediction::kMostBlocks);
  for (SiteId site = 10; site < 10 + 2 * FetchPrediction::kMostSites; ++site)
    for (int round = 0; round < 3; ++round) {
      prediction.comeTo(site, false);
      fetch(prediction, 0);
    }
  prediction.comeTo(10 + 2 * FetchPrediction::kMostSites - 1, false);
  prediction.forEachExpected(/*last=*/true, [&](Address, bool) {
    ADD_FAILURE() << "a site too many";
    return FetchPrediction::Found::Here;
  });
}

TEST(FetchPrediction, ASiteThatWalksThroughMemoryBeginsAnew) {
  FetchPrediction prediction;
  const auto expected = [&] {
    std::size_t blocks = 0;
    prediction.forEachExpected(/*last=*/true, [&](Address, bool) {
      ++blocks;
      return FetchPrediction::Found::Asked;
    });
    return blocks;
  };
  for (int round = 0; round < 3; ++round) {
    prediction.comeTo(kRead, false);
    fetch(prediction, kBlock);
  }
  EXPECT_EQ(expected(), 1u);
  for (Address i = 2; i < FetchPrediction::kMostRemembered + 10; ++i) {
    prediction.comeTo(kRead, false);
    fetch(prediction, i * kBlock);
  }
  EXPECT_EQ(expected(), 0u);
}

TEST(FetchPrediction, WhatIsThereEachTimeIsForgotten) {
  FetchPrediction prediction;
  for (int round = 0; round < 3; ++round) {
    prediction.comeTo(kRead, false);
    fetch(prediction, kBlock);
  }
  int visits = 0;
  for (int round = 0; round < 1000; ++round) {
    prediction.comeTo(kRead, false);
    prediction.forEachExpected(/*last=*/true, [&](Address block, bool) {
      EXPECT_EQ(block, kBlock);
      ++visits;
      return FetchPrediction::Found::Here;
    });
  }
  EXPECT_GT(visits, 10);
  EXPECT_LT(visits, 300);
}

} // namespace
} // namespace ompdsm::test
