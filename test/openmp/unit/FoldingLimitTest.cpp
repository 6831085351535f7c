// FoldingLimitTest.cpp: which regions are folded, and what the program gains by that.
#include "libompdsm/src/FoldingLimit.h"
#include "libompdsm/src/FoldedReport.h"
#include <gtest/gtest.h>

using namespace ompdsm;

namespace {
constexpr unsigned kNodes = 4;
constexpr std::uint64_t kSpreading = 10'000; ///< What it costs besides, in nanoseconds.

/// A region of a simulated program, all times in nanoseconds.
struct SimulatedRegion {
  std::uint64_t work;         ///< Of one node alone.
  std::uint64_t exchange = 0; ///< What it costs besides if it is spread.
  std::uint64_t fetches = 0;  ///< And if the first region was folded.
  std::uint64_t foreign = 0;  ///< What it costs if it is folded.
  bool mayFold = true;
  RegionWork known{};
  std::uint64_t latest = 0;
};

/// Visits its regions in turn.
struct Program {
  std::vector<SimulatedRegion> regions;
  FoldingLimit limit{kNodes};
  std::uint64_t now = 1;

  /// How many of the visits of a region were folded, of so many rounds.
  std::vector<unsigned> run(unsigned rounds) {
    std::vector<unsigned> folded(regions.size());
    for (unsigned round = 0; round < rounds; ++round) {
      bool firstIsFolded = false;
      for (std::size_t i = 0; i < regions.size(); ++i) {
        const bool folds = visit(regions[i], firstIsFolded);
        folded[i] += folds;
        if (i == 0)
          firstIsFolded = folds;
      }
    }
    return folded;
  }

private:
  bool visit(SimulatedRegion &region, bool firstIsFolded) {
    const bool folds = region.mayFold && region.known.folds(limit.value());
    RegionTimes times{.period = region.latest ? now - region.latest : 0};
    region.latest = now;
    if (folds) {
      times.duration = region.work + region.foreign;
      region.known.noteFolded(times);
    } else {
      times.useful = region.work / kNodes;
      times.duration =
          times.useful + kSpreading + region.exchange + (firstIsFolded ? region.fetches : 0);
      region.known.noteSpread(times, kNodes);
    }
    limit.note({.region = &region,
                .begin = now,
                .times = times,
                .alone = region.known.alone(),
                .isFolded = folds,
                .mayFold = region.mayFold && region.known.mayFold()});
    now += times.duration;
    return folds;
  }
};
} // namespace

TEST(FoldingLimit, WhatTakesMicrosecondsIsFolded) {
  Program program{{{.work = 800}, {.work = 5'000}}};
  const auto folded = program.run(10'000);
  EXPECT_GE(folded[0], 9'990);
  EXPECT_GE(folded[1], 9'990);
}

TEST(FoldingLimit, WhatGainsByAllNodesIsSpread) {
  Program program{{{.work = 4'000'000}, {.work = 200'000}}};
  const auto folded = program.run(10'000);
  EXPECT_EQ(folded[0], 0u);
  EXPECT_LT(folded[1], 100u); // To measure it.
}

TEST(FoldingLimit, WhatCannotBeFoldedIsSpread) {
  Program program{{{.work = 800, .mayFold = false}}};
  EXPECT_EQ(program.run(10'000)[0], 0u);
}

TEST(FoldingLimit, WhatIsSlowerFoldedThanSpreadIsSpread) {
  // It works on what other nodes have.
  Program program{{{.work = 4'000, .foreign = 30'000}}};
  EXPECT_LT(program.run(100'000)[0], 2'000u);
}

TEST(FoldingLimit, WhatMakesOtherRegionsFetchIsSpreadInTheEnd) {
  Program program{{{.work = 12'000}, {.work = 2'000'000, .fetches = 400'000}}};
  EXPECT_GT(program.run(30)[0], 10u);
  program.run(1000);
  EXPECT_LT(program.run(10'000)[0], 500u);
}

TEST(FoldingLimit, WhatIsLargerIsFoldedIfThatIsFaster) {
  Program program{{{.work = 12'000}, {.work = 120'000, .exchange = 300'000}}};
  program.run(1000);
  const auto folded = program.run(1000);
  EXPECT_GT(folded[0] + folded[1], 1900u);
}

TEST(FoldingLimit, ExperimentsThatFailGetRare) {
  Program program{{{.work = 8'000}, {.work = 12'000}, {.work = 900'000, .mayFold = false}}};
  program.run(10'000);
  const unsigned rounds = 100'000;
  EXPECT_GT(program.run(rounds)[0], rounds * 98 / 100);
}

TEST(FoldingLimit, WhatGrowsIsSpreadAtOnce) {
  Program program{{{.work = 3'000}}};
  program.run(1000);
  program.regions[0].work = 5'000'000;
  EXPECT_LT(program.run(100)[0], 5u);
}

TEST(FoldingLimit, WhatOtherThreadsHaveMoreToDoInIsSpread) {
  // The first thread, whose work is known, has next to nothing to do.
  Program program{{{.work = 40'000, .foreign = 900'000}}};
  EXPECT_LT(program.run(10'000)[0], 20u);
}

TEST(FoldingLimit, WhatShrinksIsMeasuredAgain) {
  Program program{{{.work = 400'000}}};
  EXPECT_LT(program.run(1000)[0], 10u);
  program.regions[0].work = 3'000;
  EXPECT_GT(program.run(1000)[0], 900u);
}

TEST(FoldingLimit, TheNextSizeOfWhatIsFoldedIsFoldedFromTheStart) {
  Program program{{{.work = 3'000}}};
  EXPECT_FALSE(program.regions[0].known.ofSize(2).folds(program.limit.value()));
  program.run(100);
  EXPECT_TRUE(program.regions[0].known.ofSize(2).folds(program.limit.value()));
  EXPECT_FALSE(program.regions[0].known.ofSize(1000).folds(program.limit.value()));
}

TEST(FoldedReport, NamesTheFirstOnes) {
  EXPECT_EQ(foldedTable({}), "");
  std::vector<FoldedLine> lines(kMostFoldedLines + 2, {"x.c:7", 1000, 900, 25e-6, 1e-6});
  const std::string table = foldedTable(lines);
  EXPECT_NE(table.find("     1000       900      25.0       1.0  x.c:7\n"), std::string::npos);
  EXPECT_NE(table.find("and 2 regions more"), std::string::npos);
}
