// OrderedStridesTest.cpp: which runs a node orders for its next visit of a site, and what it learns
// of those that come, come too early, or do not.
#include "protocol/engine/StridePrediction.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

constexpr SiteId kSite = 1, kOther = 2;
constexpr Address kBase = Address(1) << 32;
constexpr std::size_t kBlock = 2048, kPanel = 16 * kBlock;

using Runs = std::vector<Address>; // where they begin

/// One node's view of panels that each visit of a site reads, one after the other.
struct Visits {
  struct Seen {
    Runs asked, ordered;
  };
  /// The panel at `begin`; 0: none. What was not asked for nor ordered is fetched. What was is read
  /// if `isRead`.
  Seen visit(Address begin, bool isRead = true, unsigned requests = 2) {
    Seen seen;
    (void)prediction.comeTo(kSite, /*watches=*/false);
    prediction.forEachNext([&](AddressRun run) {
      seen.ordered.push_back(run.begin);
      return std::optional(asked(run));
    });
    bool isHere = comes && prediction.takeOrdered(kSite, begin);
    prediction.forEachExpected(/*last=*/false, [&](AddressRun run) {
      seen.asked.push_back(run.begin);
      isHere |= run.begin == begin;
      return std::optional(asked(run));
    });
    if (isHere && isRead) {
      prediction.onRead(begin);
      prediction.onRead(begin + kPanel - kBlock);
    }
    if (!isHere && begin != 0)
      fetch(begin, requests);
    return seen;
  }
  void fetch(Address begin, unsigned requests) {
    const std::size_t bytes = kPanel / requests;
    for (Address at = begin; at < begin + kPanel; at += bytes) {
      prediction.onFetch({at, at + bytes}, {at, at + bytes});
      prediction.endTogether();
    }
  }
  static StridePrediction::Asked asked(AddressRun run) {
    return {run.begin, run.end - kBlock, run.end};
  }
  StridePrediction prediction;
  bool comes = true; ///< What is ordered.
};

Address panel(unsigned k) { return kBase + k * 2 * kPanel; }

TEST(OrderedStrides, WhatIsProvenIsOrderedForTheNextVisitAndNotAskedForThen) {
  Visits visits;
  for (unsigned k = 0; k < 20; ++k) {
    const Visits::Seen seen = visits.visit(panel(k));
    EXPECT_EQ(seen.asked, k == 3 || k == 4 ? Runs{panel(k)} : Runs{}) << k << ": then it is proven";
    EXPECT_EQ(seen.ordered, k >= 4 ? Runs{panel(k + 1)} : Runs{}) << k;
  }
}

TEST(OrderedStrides, WhatOthersReadInTurnIsOrderedInTheVisitBefore) {
  Visits visits;
  for (unsigned k = 0; k < 30; ++k) {
    const bool isOwn = k % 3 == 0;
    const Visits::Seen seen = visits.visit(isOwn ? 0 : panel(k));
    if (k > 12)
      EXPECT_EQ(seen.ordered, (k + 1) % 3 == 0 ? Runs{} : Runs{panel(k + 1)}) << k;
    if (k > 15)
      EXPECT_EQ(seen.asked, Runs{}) << k;
  }
}

TEST(OrderedStrides, WhatBeginsAgainElsewhereIsExpectedBehindItsFirstPanel) {
  Visits visits;
  for (unsigned k = 0; k < 20; ++k)
    (void)visits.visit(panel(k));
  for (unsigned matrix = 1; matrix < 5; ++matrix) {
    const unsigned first = 1000 * matrix * matrix;
    EXPECT_EQ(visits.visit(panel(first)).asked, Runs{}) << "what was ordered is in vain";
    EXPECT_EQ(visits.visit(panel(first + 1)).asked, Runs{panel(first + 1)}) << matrix;
    for (unsigned k = 2; k < 10; ++k) {
      const Visits::Seen seen = visits.visit(panel(first + k));
      EXPECT_EQ(seen.asked, Runs{}) << matrix << ", " << k;
      EXPECT_EQ(seen.ordered, Runs{panel(first + k + 1)}) << matrix << ", " << k;
    }
  }
}

TEST(OrderedStrides, WhatNobodyReadsIsOrderedNoMore) {
  Visits visits;
  for (unsigned k = 0; k < 10; ++k)
    (void)visits.visit(panel(k));
  std::size_t ordered = 0;
  for (unsigned k = 10; k < 1000; ++k)
    ordered += visits.visit(kBase - 1000 * kPanel - Address(k) * k * kPanel, /*isRead=*/false)
                   .ordered.size();
  EXPECT_GE(ordered, 1u);
  EXPECT_LE(ordered, 4u);
}

TEST(OrderedStrides, WhatOneRequestBringsIsOrderedAndNotAskedFor) {
  Visits visits;
  for (unsigned k = 0; k < 20; ++k) {
    const Visits::Seen seen = visits.visit(panel(k), /*isRead=*/true, /*requests=*/1);
    EXPECT_EQ(seen.asked, Runs{}) << k;
    EXPECT_EQ(seen.ordered, k >= 4 ? Runs{panel(k + 1)} : Runs{}) << k << ": it was as expected";
  }
  // Elsewhere, and never as expected again.
  std::size_t ordered = 0;
  for (Address k = 0; k < 100; ++k)
    ordered += visits.visit(kBase + (k + 7) * k * k * kPanel, true, 1).ordered.size();
  EXPECT_LE(ordered, 4u);
}

TEST(OrderedStrides, WhatDoesNotComeIsAskedForAndSeldomOrderedAgain) {
  Visits visits;
  visits.comes = false;
  std::size_t ordered = 0, asked = 0, askedAgain = 0;
  for (unsigned k = 0; k < 300; ++k) {
    const Visits::Seen seen = visits.visit(panel(k), /*isRead=*/false);
    ordered += seen.ordered.size();
    asked += seen.asked.size();
    visits.prediction.forEachExpected(/*last=*/true, [&](AddressRun run) {
      askedAgain += seen.asked.empty();
      return seen.asked.empty() ? std::optional(Visits::asked(run)) : std::nullopt;
    });
    visits.prediction.onRead(panel(k));
  }
  EXPECT_LE(ordered, 12u);
  EXPECT_LE(askedAgain, 12u);
  EXPECT_GE(asked, 280u);
}

/// A loop of regions: the panel is read in the next one behind the barrier at the end of each.
TEST(OrderedStrides, WhatARegionReadsIsReadBehindTheBarrierBeforeIt) {
  StridePrediction prediction;
  Runs asked;
  for (unsigned k = 0; k < 10; ++k) {
    (void)prediction.comeTo(kSite, false);
    prediction.forEachExpected(/*last=*/false, [&](AddressRun run) {
      asked.push_back(run.begin);
      return std::optional(Visits::asked(run));
    });
    (void)prediction.comeToBegin(kOther, false);
    prediction.forEachExpected(/*last=*/true, [](AddressRun) {
      return std::optional<StridePrediction::Asked>(); // all is here
    });
    prediction.onRead(panel(k));
    if (k < 3)
      for (unsigned half = 0; half < 2; ++half) {
        const Address at = panel(k) + half * kPanel / 2;
        prediction.onFetch({at, at + kPanel / 2}, {at, at + kPanel / 2});
        prediction.endTogether();
      }
  }
  EXPECT_EQ(asked.size(), 7u);
  EXPECT_EQ(asked.back(), panel(9));
}

TEST(OrderedStrides, WhatChangesBetweenRegionsIsAskedForAtTheBeginningOfTheNextOne) {
  StridePrediction prediction;
  std::size_t early = 0, atBegin = 0;
  for (unsigned k = 0; k < 50; ++k) {
    (void)prediction.comeTo(kSite, false);
    const auto ask = [](AddressRun run) { return std::optional(Visits::asked(run)); };
    prediction.forEachExpected(/*last=*/false, [&](AddressRun run) {
      early += k >= 10;
      return ask(run);
    });
    // What was asked for is stale by now.
    (void)prediction.comeToBegin(kOther, false);
    bool isAsked = false;
    prediction.forEachExpected(/*last=*/true, [&](AddressRun run) {
      atBegin += k >= 20;
      isAsked |= run.begin == panel(k);
      return ask(run);
    });
    prediction.onRead(panel(k));
    for (unsigned half = 0; half < 2 && !isAsked; ++half) {
      const Address at = panel(k) + half * kPanel / 2;
      prediction.onFetch({at, at + kPanel / 2}, {at, at + kPanel / 2});
      prediction.endTogether();
    }
  }
  EXPECT_EQ(early, 0u);
  EXPECT_EQ(atBegin, 30u);
}

TEST(OrderedStrides, ABlockBelongsToWhatWasOrderedUntilTheVisitEnds) {
  Visits visits;
  for (unsigned k = 0; k < 6; ++k)
    (void)visits.visit(panel(k));
  const auto has = [&](SiteId site, Address address) {
    return visits.prediction.takeOrdered(site, address);
  };
  EXPECT_TRUE(has(kSite, panel(6)) && has(kSite, panel(6) + kPanel - kBlock));
  EXPECT_FALSE(has(kSite, panel(6) + kPanel) || has(kSite, panel(6) - kBlock));
  EXPECT_FALSE(has(kOther, panel(6)));
  EXPECT_TRUE(visits.prediction.isWatched(panel(6))) << "it may come before the node does";
  EXPECT_FALSE(visits.prediction.isWatched(panel(6) + kBlock));
  (void)visits.visit(panel(6));
  EXPECT_TRUE(has(kSite, panel(6)));
  (void)visits.visit(panel(7));
  EXPECT_FALSE(has(kSite, panel(6)));
}

} // namespace
} // namespace ompdsm::test
