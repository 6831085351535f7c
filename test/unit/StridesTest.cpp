// StridesTest.cpp: what a node fetches behind a site at constant distances from what it fetched
// there before is asked for when it comes there, and not for long if nobody reads it.
#include "protocol/engine/StridePrediction.h"
#include "test/unit/FetchCounts.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

constexpr SiteId kSite = 1, kOther = 2;
constexpr Address kBase = Address(1) << 32;
constexpr std::size_t kBlock = 2048;

using Runs = std::vector<std::pair<Address, Address>>;

/// Comes to the site, and returns what is expected behind it. It is asked for, and what `isRead` is
/// read.
Runs visit(StridePrediction &prediction, bool isRead = true, SiteId site = kSite,
           bool watches = true) {
  (void)prediction.comeTo(site, watches);
  Runs runs;
  prediction.forEachExpected(true, [&](AddressRun run) {
    runs.emplace_back(run.begin, run.end);
    return std::optional(StridePrediction::Asked{run.begin, run.end - kBlock, run.end});
  });
  for (const auto &[begin, end] : runs)
    if (isRead) {
      prediction.onRead(begin);
      prediction.onRead(end - kBlock);
    }
  return runs;
}

/// All blocks of [begin, end), by so many requests.
void fetch(StridePrediction &prediction, Address begin, Address end, unsigned requests = 2) {
  for (Address at = begin; at < end; at += kBlock) {
    prediction.onFetch({at, std::min(at + kBlock, end)}, {at, at + kBlock});
    if (--requests == 0)
      prediction.endTogether();
  }
  prediction.endTogether();
}

/// Of a matrix of 100 panels, which become shorter.
Runs panel(unsigned k) { return {{kBase + k * 101 * kBlock, kBase + (k + 1) * 100 * kBlock}}; }
/// Fetched if it is not expected.
Runs visitPanel(StridePrediction &prediction, unsigned k, unsigned requests = 2) {
  Runs runs = visit(prediction);
  if (runs != panel(k))
    fetch(prediction, panel(k)[0].first, panel(k)[0].second, requests);
  return runs;
}

TEST(StridePrediction, RunsWhoseEndsMoveByConstantDistancesAreExpected) {
  StridePrediction prediction;
  for (unsigned k = 0; k < 100; ++k)
    EXPECT_EQ(visitPanel(prediction, k), k < 3 ? Runs{} : panel(k)) << k;
  EXPECT_EQ(visit(prediction), Runs{}) << "an empty one";
}

TEST(StridePrediction, PanelsOfOtherNodesAreExpectedAndTheOwnAreNot) {
  for (unsigned nodes = 2; nodes <= StrideHistory::kMostPeriod; ++nodes) {
    StridePrediction prediction;
    for (unsigned k = 0; k < 100; ++k)
      if (k % nodes == 0) {
        // With few others it is not known yet whose panel it is; a node asks nobody for its own.
        (void)prediction.comeTo(kSite, false);
      } else if (const Runs runs = visitPanel(prediction, k); k > 3 * nodes) {
        EXPECT_EQ(runs, panel(k)) << k << " of " << nodes;
      }
  }
}

TEST(StridePrediction, WhoWaitsOnceIsLeftToWait) {
  StridePrediction prediction;
  for (unsigned k = 0; k < 50; ++k)
    EXPECT_EQ(visitPanel(prediction, k, /*requests=*/1000), Runs{}) << k;
}

TEST(StridePrediction, WhatIsLargeIsLeftToTheMiss) {
  for (const Address bytes :
       {StrideHistory::kMostBytes, StrideHistory::kMostBytes + kBlock}) {
    StridePrediction prediction;
    std::size_t expected = 0;
    for (unsigned k = 0; k < 10; ++k) {
      expected += visit(prediction).size();
      fetch(prediction, kBase + k * bytes, kBase + (k + 1) * bytes);
    }
    EXPECT_EQ(expected != 0, bytes == StrideHistory::kMostBytes);
  }
}

TEST(StridePrediction, RunsMoveByBytesWhateverTheBlocks) {
  StridePrediction prediction;
  const Address rowBytes = 8008;
  for (Address k = 0; k < 200; ++k) {
    // From its diagonal on, or, where that is here already, from the next element on.
    const Address begin = kBase + k * (rowBytes + 8) + k % 2 * 8, end = kBase + (k + 1) * rowBytes;
    const Runs runs = visit(prediction);
    if (k >= 3) {
      ASSERT_EQ(runs.size(), 1u) << k;
      EXPECT_LT(std::abs(std::int64_t(runs[0].first - begin)), 1024) << k;
      EXPECT_EQ(runs[0].second, end) << k;
      continue;
    }
    const Address block = begin / kBlock * kBlock;
    prediction.onFetch({begin, begin + 8}, {block, block + kBlock});
    prediction.endTogether();
    prediction.onFetch({begin + 8, end}, {block + kBlock, (end + kBlock - 1) / kBlock * kBlock});
    prediction.endTogether();
  }
}

TEST(StridePrediction, WhatStaysOrJumpsIsNotExpected) {
  StridePrediction staying, jumping;
  for (unsigned k = 0; k < 50; ++k) {
    EXPECT_EQ(visit(staying), Runs{});
    fetch(staying, kBase, kBase + 100 * kBlock);
    EXPECT_EQ(visit(jumping), Runs{});
    const Address begin = kBase + Address(k) * k * k * 65536;
    fetch(jumping, begin, begin + 100 * kBlock);
  }
}

TEST(StridePrediction, WhatWasFetchedAheadBelongsToARunOnlyInsideOfIt) {
  StridePrediction prediction;
  for (unsigned k = 0; k < 10; ++k) {
    const Address begin = kBase + k * 100 * kBlock;
    const Runs runs = visit(prediction);
    EXPECT_EQ(runs, k < 3 ? Runs{} : (Runs{{begin, begin + 3 * kBlock}})) << k;
    if (!runs.empty())
      continue;
    fetch(prediction, begin, begin + kBlock);
    prediction.onFetchAhead({begin + kBlock, begin + 2 * kBlock});
    fetch(prediction, begin + 2 * kBlock, begin + 3 * kBlock);
    prediction.onFetchAhead({begin + 3 * kBlock, begin + (4 + k) * kBlock});
  }
}

TEST(StridePrediction, SitesAreSeparate) {
  StridePrediction prediction;
  for (unsigned k = 0; k < 20; ++k) {
    EXPECT_EQ(visitPanel(prediction, k), k < 3 ? Runs{} : panel(k)) << k;
    EXPECT_EQ(visit(prediction, /*isRead=*/true, kOther), Runs{}) << k;
    if (k % 2 == 0)
      fetch(prediction, kBase, kBase + 10 * kBlock);
  }
}

TEST(StridePrediction, WhatIsNotReadIsExpectedLessAndLess) {
  StridePrediction prediction;
  unsigned expected = 0, inVain = 0;
  for (unsigned k = 0; k < 1000; ++k) {
    inVain += prediction.comeTo(kSite, false);
    prediction.forEachExpected(true, [&](AddressRun run) {
      ++expected;
      return std::optional(StridePrediction::Asked{run.begin, run.end - kBlock, run.end});
    });
    // Elsewhere than is expected, but in each third visit.
    const Address begin = kBase + Address(k) * 200 * kBlock;
    fetch(prediction, begin, begin + 100 * kBlock);
  }
  EXPECT_GT(expected, 5u);
  EXPECT_LT(expected, 1000 / StridePrediction::kMostDoubt + 20);
  EXPECT_GE(inVain + 1, expected) << "all are watched";
}

TEST(StridePrediction, WhatIsReadIsWatchedAtFirstAndNowAndThen) {
  StridePrediction prediction;
  for (unsigned k = 0; k < 50; ++k) {
    const Runs runs = visit(prediction, /*isRead=*/true, kSite, /*watches=*/k % 8 == 0);
    if (runs.empty())
      fetch(prediction, panel(k)[0].first, panel(k)[0].second);
    else
      EXPECT_EQ(prediction.isWatched(panel(k)[0].first), k == 3 || k % 8 == 0) << k;
  }
}

TEST(StridePrediction, IsBounded) {
  StridePrediction prediction;
  // More runs, and more sites.
  for (unsigned k = 0; k < 10; ++k) {
    EXPECT_EQ(visit(prediction), Runs{});
    for (unsigned run = 0; run < StridePrediction::kMostRuns + 1; ++run) {
      const Address begin = kBase + run * 1000 * kBlock + k * 10 * kBlock;
      fetch(prediction, begin, begin + 2 * kBlock);
    }
  }
  for (SiteId site = kOther; site < kOther + 2 * StridePrediction::kMostSites; ++site)
    for (unsigned k = 0; k < 6; ++k) {
      const Runs runs = visit(prediction, /*isRead=*/true, site);
      EXPECT_EQ(runs.size(), k >= 3 && site < kOther + StridePrediction::kMostSites - 1 ? 1u : 0u);
      if (runs.empty())
        fetch(prediction, panel(k)[0].first, panel(k)[0].second);
    }
}

// On two nodes:

constexpr unsigned kShift = 11;
constexpr std::size_t kPanelBytes = 16 * kBlock, kPanels = 30;

ClusterOptions options(bool predictFetches = true) {
  ClusterOptions options;
  options.areas = {{0, kPanels * kPanelBytes, 0, kShift}};
  options.pushUpdates = false;
  options.homePatience = 0;
  options.prefetchBlocks = 0;
  options.predictFetches = predictFetches;
  return options;
}

/// The home makes a panel; behind the barrier node 1 reads its first number, and then all of it.
void readPanel(Duo &duo, unsigned k, bool skips = false) {
  const std::size_t begin = k * kPanelBytes;
  for (std::size_t at = 0; at < kPanelBytes; at += 64)
    duo.home.write<int>(duo.at(begin + at), int(k + at));
  duo.barrier(kSite);
  if (skips)
    return;
  EXPECT_EQ(duo.one.read<int>(duo.at(begin)), int(k));
  duo.one.check(duo.at(begin), kPanelBytes, Access::Read);
  for (std::size_t at = 0; at < kPanelBytes; at += 64)
    EXPECT_EQ(duo.one.peek<int>(duo.at(begin + at)), int(k + at));
}

TEST(Strides, ThePanelOfTheNextStepIsAskedForWithTheArrival) {
  Duo duo(options());
  for (unsigned k = 0; k < kPanels; ++k)
    readPanel(duo, k);
  duo.barrier(kSite); // no panel behind the end of the area
  const FetchCounts counts(duo);
  EXPECT_EQ(counts.fetched, kPanels * 16);
  EXPECT_EQ(counts.expected, (kPanels - 3) * 16);
  EXPECT_EQ(counts.asks, kPanels - 3) << "one for all blocks";
  EXPECT_EQ(counts.gets, 3u * 2);
  EXPECT_EQ(counts.unread, 0u);
}

TEST(Strides, WithoutPredictionsEachIsFetchedWhenItIsMissed) {
  Duo duo(options(/*predictFetches=*/false));
  for (unsigned k = 0; k < kPanels; ++k)
    readPanel(duo, k);
  const FetchCounts counts(duo);
  EXPECT_EQ(counts.expected, 0u);
  EXPECT_EQ(counts.gets, kPanels * 2);
}

TEST(Strides, WhatIsHereAlreadyIsNotAskedFor) {
  Duo duo(options());
  for (unsigned k = 0; k < 10; ++k)
    readPanel(duo, k);
  duo.one.check(duo.at(10 * kPanelBytes), 8 * kBlock, Access::Read);
  const FetchCounts before(duo);
  duo.barrier(kSite); // the panel is as it was
  EXPECT_EQ(FetchCounts(duo).expected - before.expected, 8u);
}

TEST(Strides, APanelThatNobodyReadsIsNotedAndTheNextOnesAreNotAskedFor) {
  Duo duo(options());
  for (unsigned k = 0; k < 3; ++k)
    readPanel(duo, k);
  for (unsigned k = 3; k < kPanels; ++k)
    readPanel(duo, k, /*skips=*/true);
  const FetchCounts counts(duo);
  EXPECT_EQ(counts.expected, 16u);
  EXPECT_EQ(counts.unread, 1u);
}

} // namespace
} // namespace ompdsm::test
