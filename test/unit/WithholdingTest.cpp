// WithholdingTest.cpp: what changes in several phases, and is read behind the last one, is sent
// once.
#include "protocol/engine/UnreadSites.h"
#include "protocol/engine/UnreadUpdates.h"
#include "protocol/engine/WithheldChanges.h"
#include "test/unit/Trio.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

constexpr std::size_t kBlock = 256;
constexpr int kPhases = 3;

/// Three nodes; the home changes a block in each of kPhases phases of a round, with a barrier at a
/// site of its own behind each, and there is one more behind the round.
struct Phases {
  explicit Phases(ClusterOptions options = Trio::threeNodes()) : trio(options) {}

  /// `isReader(node, phase)`: whether it reads behind that. The home stores `stored` bytes.
  template <class IsReader> void run(int rounds, IsReader isReader, std::size_t stored = kBlock) {
    for (; rounds != 0; --rounds) {
      for (int phase = 1; phase <= kPhases; ++phase) {
        ++value;
        trio.home.check(trio.at(0), stored, Access::Write);
        for (std::size_t at = 0; at < stored; at += sizeof(unsigned))
          trio.home.poke<unsigned>(trio.at(at), bytesOf(value));
        barrier(phase);
        if (isReader(1, phase))
          EXPECT_EQ(trio.one.read<unsigned>(trio.at(0)), bytesOf(value));
        if (isReader(2, phase))
          EXPECT_EQ(trio.two.read<unsigned>(trio.at(stored - sizeof(unsigned))), bytesOf(value));
      }
      barrier(kPhases + 1);
    }
  }
  void barrier(int site) {
    const auto at = [&](NodeThread &thread) { thread.engineBarrier(kNoSite + SiteId(site)); };
    std::thread a([&] { at(trio.one); }), b([&] { at(trio.two); });
    at(trio.home);
    a.join();
    b.join();
  }
  struct Counts {
    std::uint64_t pushed, withheld, supplied, fetchedByOne, fetchedByTwo;
  };
  Counts counts() {
    const EngineStatistics &home = trio.cluster.statistics(0);
    return {home.blocksPushed, home.changesWithheld, home.blocksSupplied,
            trio.cluster.statistics(1).blocksFetched, trio.cluster.statistics(2).blocksFetched};
  }

  static unsigned bytesOf(unsigned value) { return value * 0x01010101; }

  Trio trio;
  unsigned value = 0;
};

bool behindTheLast(int node, int phase) { return node == 1 && phase == kPhases; }

TEST(Withholding, WhatIsReadBehindTheLastPhaseIsSentOnceInARound) {
  constexpr int kRounds = 50;
  Phases phases;
  phases.run(kRounds, behindTheLast);
  const Phases::Counts before = phases.counts();
  phases.run(kRounds, behindTheLast);
  const Phases::Counts after = phases.counts();
  EXPECT_EQ(after.fetchedByOne, before.fetchedByOne);
  EXPECT_EQ(after.pushed - before.pushed, std::uint64_t(kRounds));
  EXPECT_EQ(after.supplied - before.supplied, std::uint64_t(kRounds));
  EXPECT_EQ(after.fetchedByOne, 1u) << "to learn of it takes few rounds";
}

TEST(Withholding, AllIsSentIfThatIsSwitchedOff) {
  ClusterOptions options = Trio::threeNodes();
  options.pushBySite = false;
  Phases phases(options);
  phases.run(50, behindTheLast);
  EXPECT_EQ(phases.counts().withheld, 0u);
  EXPECT_EQ(phases.counts().supplied, 0u);
  EXPECT_EQ(phases.trio.cluster.sent(1, MessageKind::SiteReads), 0u);
}

TEST(Withholding, LittleOfABlockIsSentWhereverItChanges) {
  Phases phases;
  phases.run(50, behindTheLast, /*stored=*/kBlock / 2 - sizeof(unsigned));
  EXPECT_EQ(phases.counts().withheld, 0u);
}

TEST(Withholding, EachReaderHasItsOwnSites) {
  constexpr int kRounds = 50;
  const auto isReader = [](int node, int phase) { return node == 2 || behindTheLast(node, phase); };
  Phases phases;
  phases.run(kRounds, isReader);
  const Phases::Counts before = phases.counts();
  phases.run(kRounds, isReader);
  const Phases::Counts after = phases.counts();
  EXPECT_EQ(after.fetchedByOne, before.fetchedByOne);
  EXPECT_EQ(after.fetchedByTwo, before.fetchedByTwo);
  EXPECT_EQ(after.supplied - before.supplied, std::uint64_t(kRounds));
  EXPECT_EQ(after.pushed - before.pushed, std::uint64_t(kRounds) * (2 + kPhases))
      << "to two in each phase, to one in the last, and to two that it is not alone any more";
}

TEST(Withholding, WhoReadsWhereItDidNotIsSentAllAgain) {
  Phases phases;
  phases.run(50, behindTheLast);
  EXPECT_GT(phases.counts().withheld, 0u);
  const auto always = [](int node, int) { return node == 1; };
  phases.run(10, always);
  const Phases::Counts before = phases.counts();
  phases.run(50, always);
  const Phases::Counts after = phases.counts();
  EXPECT_EQ(after.fetchedByOne, before.fetchedByOne);
  EXPECT_EQ(after.withheld, before.withheld);
}

TEST(Withholding, WhoReadsNoMoreIsSentNothingAfterAWhile) {
  Phases phases;
  phases.run(50, behindTheLast);
  const auto never = [](int, int) { return false; };
  phases.run(50, never);
  const Phases::Counts before = phases.counts();
  phases.run(50, never);
  EXPECT_EQ(phases.counts().supplied, before.supplied);
  EXPECT_LE(phases.counts().pushed - before.pushed, 8u) << "now and then to see if it reads again";
  phases.run(10, behindTheLast);
}

TEST(Withholding, AHomeThatMovesForgetsIt) {
  ClusterOptions options = Trio::threeNodes();
  options.areas = {{0, kBlock, 0, 8, /*migratable=*/true}};
  Phases phases(options);
  phases.run(50, behindTheLast);
  EXPECT_GT(phases.counts().supplied, 0u);
  for (int round = 1; round <= 8; ++round) { // node 2 alone writes
    phases.trio.two.write<int>(phases.trio.at(0), round);
    phases.barrier(kPhases + 2);
    EXPECT_EQ(phases.trio.one.read<unsigned>(phases.trio.at(0)), round);
    phases.barrier(kPhases + 3);
  }
  EXPECT_LE(phases.trio.cluster.stateAt(2, phases.trio.at(0)), BlockState::HomeServed)
      << "it is the home";
  phases.run(50, behindTheLast);
}

constexpr unsigned kShift = 8;
constexpr Address kA = 0x10000, kB = kA + kBlock;
constexpr NodeId kReader = 1;
enum Site : SiteId { First = 1, Second, Third };

TEST(WithheldChanges, WhatIsFetchedBehindASiteIsOwedThere) {
  WithheldChanges changes;
  EXPECT_TRUE(changes.isEmpty());
  changes.onUnread(First, kA, kShift, kReader);
  EXPECT_TRUE(changes.withholds(First, kA, kShift, kReader));
  EXPECT_FALSE(changes.withholds(First, kB, kShift, kReader));
  EXPECT_FALSE(changes.withholds(First, kA, kShift, kReader + 1));
  EXPECT_FALSE(changes.withholds(Second, kA, kShift, kReader));
  changes.onWithheld(First, kA, kShift, kReader);
  EXPECT_TRUE(changes.owedAt(Second).empty()) << "nobody knows who reads there";
  changes.leave(Second);
  changes.onFetched(kA, kShift, kReader, /*isBehindLeft=*/true);
  EXPECT_TRUE(changes.owedAt(Second).empty()) << "it was fetched";
  changes.onWithheld(First, kA, kShift, kReader);
  ASSERT_EQ(changes.owedAt(Second).size(), 1u);
  EXPECT_EQ(changes.owedAt(Second)[0].block, kA);
  EXPECT_TRUE(changes.owedAt(Third).empty());
  changes.onSupply(changes.owedAt(Second)[0], /*isSent=*/true);
  EXPECT_TRUE(changes.owedAt(Second).empty());
}

TEST(WithheldChanges, WhatIsReadBehindASiteIsOwedThere) {
  WithheldChanges changes;
  changes.onUnread(First, kA, kShift, kReader);
  changes.onRead(Second, kA, kShift, kReader);
  EXPECT_TRUE(changes.owedAt(Second).empty()) << "nothing was withheld";
  changes.onWithheld(First, kA, kShift, kReader);
  EXPECT_EQ(changes.owedAt(Second).size(), 1u);
  changes.onUnread(Second, kA, kShift, kReader);
  EXPECT_TRUE(changes.owedAt(Second).empty());
  changes.onRead(First, kA, kShift, kReader);
  EXPECT_FALSE(changes.withholds(First, kA, kShift, kReader)) << "what it said last counts";
}

/// The reader fetches behind Second what was withheld at First.
WithheldChanges learned() {
  WithheldChanges changes;
  changes.onUnread(First, kA, kShift, kReader);
  changes.onWithheld(First, kA, kShift, kReader);
  changes.leave(Second);
  changes.onFetched(kA, kShift, kReader, /*isBehindLeft=*/true);
  changes.onWithheld(First, kA, kShift, kReader);
  return changes;
}

TEST(WithheldChanges, NothingMoreIsWithheldOfWhoHadToFetchWhatWasExpected) {
  WithheldChanges changes = learned();
  changes.onFetched(kA, kShift, kReader, /*isBehindLeft=*/true);
  EXPECT_FALSE(changes.withholds(First, kA, kShift, kReader));
  changes.onUnread(First, kA, kShift, kReader);
  EXPECT_FALSE(changes.withholds(First, kA, kShift, kReader)) << "whatever it says";
}

TEST(WithheldChanges, NothingMoreIsWithheldOfWhoReadsWhereItWas) {
  WithheldChanges changes = learned();
  changes.leave(First);
  changes.onFetched(kA, kShift, kReader, /*isBehindLeft=*/true);
  EXPECT_FALSE(changes.withholds(First, kA, kShift, kReader));
}

TEST(WithheldChanges, AFetchOfWhatCouldNotBeSentSaysNothing) {
  WithheldChanges changes = learned();
  changes.onSupply(changes.owedAt(Second)[0], /*isSent=*/false);
  changes.onFetched(kA, kShift, kReader, /*isBehindLeft=*/true);
  EXPECT_TRUE(changes.withholds(First, kA, kShift, kReader));
}

TEST(WithheldChanges, WhoHasGivenABlockUpIsOwedNothing) {
  WithheldChanges changes = learned();
  changes.onLeft(kA, kShift, kReader);
  EXPECT_TRUE(changes.owedAt(Second).empty());
  EXPECT_TRUE(changes.withholds(First, kA, kShift, kReader));
}

TEST(WithheldChanges, SitesAndWhatIsOwedAreBounded) {
  WithheldChanges changes;
  for (SiteId site = 1; site <= WithheldChanges::kMostSites + 1; ++site)
    changes.onUnread(site, kA, kShift, kReader);
  EXPECT_TRUE(changes.withholds(WithheldChanges::kMostSites, kA, kShift, kReader));
  EXPECT_FALSE(changes.withholds(WithheldChanges::kMostSites + 1, kA, kShift, kReader));
  for (std::size_t n = 0; n < WithheldChanges::kMostOwed; ++n) {
    EXPECT_TRUE(changes.withholds(First, kA, kShift, kReader));
    changes.onWithheld(First, kA + n * kBlock, kShift, kReader);
  }
  EXPECT_FALSE(changes.withholds(First, kA, kShift, kReader)) << "but sent, as before";
}

TEST(UnreadSites, TheSecondUpdateInARowThatNobodyReadsIsTold) {
  UnreadSites sites;
  EXPECT_TRUE(sites.watches(First, kA, kShift)) << "the first one";
  sites.onClosed(First, kA);
  sites.onUnread(Second, kA, kShift, /*ended=*/false);
  EXPECT_FALSE(sites.hasNotices());
  EXPECT_TRUE(sites.watches(First, kA, kShift));
  sites.onRead(kA, kShift); // behind Second
  EXPECT_FALSE(sites.watches(Second, kA, kShift));
  sites.onClosed(First, kA);
  sites.onUnread(Second, kA, kShift, /*ended=*/true);
  ASSERT_TRUE(sites.hasNotices());
  const auto notices = sites.takeNotices();
  ASSERT_EQ(notices.size(), 2u);
  EXPECT_EQ(notices[1].site, Second);
  EXPECT_EQ(notices[1].block, kA);
  EXPECT_TRUE(notices[1].isRead) << "is told with it";
  EXPECT_EQ(notices[0].site, First);
  EXPECT_EQ(notices[0].block, kA);
  EXPECT_FALSE(notices[0].isRead);
  EXPECT_TRUE(sites.isTold(kA, kShift));
  EXPECT_FALSE(sites.isTold(kB, kShift));
  EXPECT_FALSE(sites.hasNotices());
}

TEST(UnreadSites, WhatIsFetchedTwiceIsAskedForAgain) {
  UnreadSites sites;
  for (int round = 0; round < 2; ++round) {
    sites.onClosed(First, kA);
    sites.onUnread(Second, kA, kShift, /*ended=*/true);
  }
  sites.onFetch(kA, kShift);
  EXPECT_TRUE(sites.isTold(kA, kShift)) << "so the home learns of it";
  sites.onFetch(kA, kShift);
  EXPECT_FALSE(sites.isTold(kA, kShift)) << "it does not send it";
  sites.onSupplied(kA, kShift);
  EXPECT_TRUE(sites.isTold(kA, kShift)) << "it does";
}

TEST(UnreadSites, WhoReadsBetweenStartsAnew) {
  UnreadSites sites;
  for (int round = 0; round < 4; ++round) {
    sites.onClosed(First, kA);
    if (round % 2)
      sites.onRead(kA, kShift);
    else
      sites.onUnread(Second, kA, kShift, /*ended=*/true);
  }
  EXPECT_FALSE(sites.hasNotices());
}

TEST(UnreadSites, TwoInARowAreBorneToLearnAndNoneAfterThat) {
  UnreadSites sites;
  const auto unread = [&] {
    sites.onClosed(First, kA);
    return sites.onUnread(First, kA, kShift, /*ended=*/true);
  };
  EXPECT_TRUE(unread());
  EXPECT_TRUE(unread());
  EXPECT_TRUE(sites.hasNotices());
  EXPECT_FALSE(unread()) << "it was told, and is sent nevertheless";
  EXPECT_FALSE(sites.onUnread(First, kA, kShift, /*ended=*/true)) << "nobody watched it";
}

TEST(UnreadSites, OfMoreThanAreRememberedNothingIsTold) {
  UnreadSites sites;
  for (SiteId site = 1; site <= UnreadSites::kMostSites; ++site) {
    sites.onClosed(site, kA);
    sites.onRead(kA, kShift);
  }
  constexpr SiteId kMore = UnreadSites::kMostSites + 1;
  EXPECT_FALSE(sites.watches(kMore, kA, kShift));
  for (int round = 0; round < 2; ++round) {
    sites.onClosed(kMore, kA);
    EXPECT_FALSE(sites.onUnread(First, kA, kShift, /*ended=*/true)) << "nothing to bear it for";
  }
  EXPECT_FALSE(sites.hasNotices());
}

using Borne = UnreadUpdates::Borne;

TEST(UnreadUpdates, OneIsBorneAndMoreAsLongAsSomethingIsLearned) {
  UnreadUpdates updates(/*watchesFirst=*/false);
  EXPECT_FALSE(updates.onUnread(kA, kShift, Borne::One));
  EXPECT_TRUE(updates.onUnread(kA, kShift, Borne::One));
  for (unsigned n = 0; n < unsigned(Borne::ToLearn); ++n)
    EXPECT_FALSE(updates.onUnread(kB, kShift, Borne::ToLearn)) << n;
  EXPECT_TRUE(updates.onUnread(kB, kShift, Borne::ToLearn)) << "that is not forever";
}

TEST(UnreadUpdates, NothingIsBorneOfWhatWasGivenUpUntilItIsRead) {
  UnreadUpdates updates(/*watchesFirst=*/false);
  EXPECT_TRUE(updates.onUnread(kA, kShift, Borne::None));
  EXPECT_TRUE(updates.onUnread(kA, kShift, Borne::ToLearn));
  EXPECT_TRUE(updates.onOpen(kA, kShift, /*watched=*/false)) << "it is watched at once";
  EXPECT_TRUE(updates.onUnread(kA, kShift, Borne::ToLearn));
  updates.onOpen(kA, kShift, /*watched=*/false);
  EXPECT_FALSE(updates.onOpen(kA, kShift, /*watched=*/false)) << "it was read";
  EXPECT_FALSE(updates.onUnread(kA, kShift, Borne::One));
}

} // namespace
} // namespace ompdsm::test
