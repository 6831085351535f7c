// RegionWorkTest.cpp: which regions are folded, and when that is found out.
#include "libompdsm/src/RegionWork.h"
#include "libompdsm/src/FoldedReport.h"
#include <gtest/gtest.h>

using namespace ompdsm;

namespace {
constexpr unsigned kNodes = 2;
const std::uint64_t kLimit = foldingLimit("shm", kNodes);
constexpr std::uint64_t kSpreading = 10'000; ///< What it costs besides, in nanoseconds.

/// A region of a simulated program, all times in nanoseconds.
struct SimulatedRegion {
  std::uint64_t work;         ///< Of one node alone.
  std::uint64_t foreign = 0;  ///< What it costs if it is folded.
  std::uint64_t exchange = 0; ///< And if it is spread.
  std::uint64_t moving = 0;   ///< What it costs if it is not executed as the last time.
  RegionWork known{};
  bool wasFolded = false;

  bool visit(bool afterFolded = false) {
    const bool folds = known.folds(kLimit, afterFolded);
    RegionTimes times{.duration = folds == wasFolded ? 0 : moving};
    if (folds) {
      times.duration += work + foreign;
      known.noteFolded(times, kLimit);
    } else {
      times.useful = work / kNodes;
      times.duration += times.useful + kSpreading + exchange;
      known.noteSpread(times, kNodes);
    }
    wasFolded = folds;
    return folds;
  }
  /// How many of so many visits were folded.
  unsigned visits(unsigned count, bool afterFolded = false) {
    unsigned folded = 0;
    for (unsigned i = 0; i < count; ++i)
      folded += visit(afterFolded);
    return folded;
  }
};
} // namespace

TEST(FoldingLimit, IsHigherWhereMessagesTakeLonger) {
  EXPECT_GT(foldingLimit("tcp (net)", 2), foldingLimit("shm", 2));
  EXPECT_GT(foldingLimit("shm with faults", 16), foldingLimit("shm", 2));
  EXPECT_LT(foldingLimit("verbs", 64), 1'000'000u);
}

TEST(RegionWork, WhatTakesMicrosecondsIsFoldedFromTheSecondVisitOn) {
  SimulatedRegion region{.work = 800};
  EXPECT_FALSE(region.visit());
  EXPECT_EQ(region.visits(1000), 1000u);
}

TEST(RegionWork, WhatGainsByAllNodesIsSpread) {
  SimulatedRegion large{.work = 4'000'000}, smaller{.work = 200'000};
  EXPECT_EQ(large.visits(1000), 0u);
  EXPECT_LT(smaller.visits(1000), 10u); // To measure it.
}

TEST(RegionWork, WhatIsInBetweenDoesAsTheRegionBefore) {
  SimulatedRegion region{.work = kLimit};
  region.visits(20);
  EXPECT_EQ(region.visits(2, /*afterFolded=*/false), 0u);
  EXPECT_EQ(region.visits(2, /*afterFolded=*/true), 2u);
}

TEST(RegionWork, MovingToTheNodeDoesNotCount) {
  SimulatedRegion region{.work = 3'000, .moving = 5'000'000};
  EXPECT_EQ(region.visits(1000), 999u);
}

TEST(RegionWork, WhatIsSlowerFoldedThanSpreadIsSpread) {
  SimulatedRegion region{.work = 4'000, .foreign = 26'000};
  region.visits(20);
  for (int i = 0; i < 3; ++i) // As where it could not be folded.
    region.known.noteSpread({.duration = 12'000, .useful = 2'000}, kNodes);
  EXPECT_LT(region.visits(10'000), 100u);
}

TEST(RegionWork, WhatIsFasterFoldedThanSpreadIsFolded) {
  // Spread, it fetches what other regions have changed that are folded.
  SimulatedRegion region{.work = 3 * kLimit, .exchange = 5 * kLimit};
  region.visits(20);
  EXPECT_GT(region.visits(10'000), 9'900u);
  region.exchange = 0; // These are spread now.
  EXPECT_LT(region.visits(100'000), 70'000u);
  EXPECT_EQ(region.visits(100), 0u);
}

TEST(RegionWork, WhatOtherThreadsHaveMoreToDoInIsSpread) {
  // The first thread, whose work is known, has next to nothing to do.
  SimulatedRegion region{.work = 40'000, .foreign = 900'000};
  EXPECT_LT(region.visits(200), 10u);
}

TEST(RegionWork, WhatGrowsIsSpreadAtOnce) {
  SimulatedRegion region{.work = 3'000};
  region.visits(1000);
  region.work = 5'000'000;
  EXPECT_LT(region.visits(100), 5u);
}

TEST(RegionWork, WhatShrinksIsMeasuredAgain) {
  SimulatedRegion region{.work = 200'000};
  EXPECT_LT(region.visits(1000), 10u);
  region.work = 3'000;
  EXPECT_GT(region.visits(1000), 900u);
}

TEST(RegionWork, TheNextSizeIsGuessedFromTheOneBefore) {
  SimulatedRegion region{.work = 3'000};
  region.visit();
  EXPECT_FALSE(region.known.ofSize(2).folds(kLimit, true));
  region.visits(100);
  EXPECT_TRUE(region.known.ofSize(2).folds(kLimit, true));
  EXPECT_FALSE(region.known.ofSize(1000).folds(kLimit, true));
}

TEST(FoldedReport, NamesTheFirstOnes) {
  EXPECT_EQ(foldedTable({}), "");
  std::vector<FoldedLine> lines(kMostFoldedLines + 2, {"x.c:7", 1000, 900, 25e-6, 1e-6});
  const std::string table = foldedTable(lines);
  EXPECT_NE(table.find("     1000       900      25.0       1.0  x.c:7\n"), std::string::npos);
  EXPECT_NE(table.find("and 2 regions more"), std::string::npos);
}
