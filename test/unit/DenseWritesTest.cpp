// DenseWritesTest.cpp: blocks that a home changes in most of their lines are opened without a twin
// and sent whole.
#include "protocol/engine/LatestPuts.h"
#include "protocol/engine/WriteDensity.h"
#include "test/unit/Duo.h"
#include <array>
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

constexpr std::size_t kBlock = 256, kRounds = 200;
constexpr std::size_t kLast =
    kBlock - sizeof(int); ///< Never stored by the home: no block is whole.

/// All bytes differ from those of the round before, nearly always.
int valueOf(int round) { return int(unsigned(round) * 0x9e3779b1); }

struct Counts {
  std::uint64_t twins, bare, fetched;
};

/// In each round the home stores `stored` bytes from the begin of a block, which node 1 has read.
/// Before, `also` plays what node 1 does in the interval.
template <class Also> Counts run(Duo &duo, std::size_t stored, Also also) {
  Counts counts{};
  for (int round = 1; round <= int(kRounds); ++round) {
    duo.home.check(duo.at(0), stored, Access::Write);
    counts.bare += duo.cluster.stateAt(0, duo.at(0)) == BlockState::HomeBare;
    for (std::size_t at = 0; at < stored; at += sizeof(int))
      duo.home.poke<int>(duo.at(at), valueOf(round));
    also(round);
    duo.barrier();
    EXPECT_EQ(duo.one.read<int>(duo.at(0)), valueOf(round));
    EXPECT_EQ(duo.one.read<int>(duo.at(stored - sizeof(int))), valueOf(round));
    duo.barrier();
  }
  counts.twins = duo.cluster.statistics(0).twins;
  counts.fetched = duo.cluster.statistics(1).blocksFetched;
  return counts;
}
Counts run(Duo &duo, std::size_t stored) {
  return run(duo, stored, [](int) {});
}

TEST(DenseWrites, MostOfABlockNeedsNoTwin) {
  Duo duo;
  const Counts counts = run(duo, kLast);
  EXPECT_EQ(counts.fetched, 1u) << "as of any block that is pushed";
  EXPECT_GT(counts.bare, kRounds * 3 / 4);
  EXPECT_LT(counts.twins, kRounds / 4);
  EXPECT_GT(counts.twins, 5u) << "now and then it is looked at";
}

TEST(DenseWrites, LessOfABlockHasATwin) {
  Duo duo;
  EXPECT_EQ(run(duo, kBlock / 2).bare, 0u);
}

TEST(DenseWrites, AllBlocksHaveTwinsIfItIsSwitchedOff) {
  ClusterOptions options;
  options.openBare = false;
  Duo duo(options);
  EXPECT_EQ(run(duo, kLast).bare, 0u);
}

TEST(DenseWrites, ABlockThatIsWrittenLessAgainGetsItsTwinBack) {
  Duo duo;
  run(duo, kLast);
  EXPECT_LT(run(duo, kBlock / 2).bare, kRounds / 2) << "until a look, one in sixteen";
}

TEST(DenseWrites, WhatIsOpenedAndNotWrittenHasATwinAgain) {
  Duo duo;
  run(duo, kLast);
  std::uint64_t bare = 0;
  for (std::size_t round = 0; round < kRounds; ++round) {
    duo.home.check(duo.at(0), kLast, Access::Write); // stores nothing
    bare += duo.cluster.stateAt(0, duo.at(0)) == BlockState::HomeBare;
    duo.barrier();
    (void)duo.one.read<int>(duo.at(0));
    duo.barrier();
  }
  EXPECT_LT(bare, kRounds / 2) << "until a look, one in sixteen";
}

TEST(DenseWrites, WhatAnotherNodeWritesIsNotLostInWhatIsSentWhole) {
  Duo duo;
  std::uint64_t discarded = 0;
  const Counts counts = run(duo, kLast, [&](int round) {
    if (round % 8 != 0)
      return;
    duo.one.write<int>(duo.at(kLast), round);
    discarded += duo.cluster.stateAt(0, duo.at(0)) == BlockState::HomeBare;
  });
  EXPECT_GT(discarded, 3u) << "the block was never open without a twin beside a writer";
  EXPECT_EQ(duo.home.read<int>(duo.at(kLast)), int(kRounds));
  EXPECT_EQ(duo.one.read<int>(duo.at(kLast)), int(kRounds));
  EXPECT_GT(counts.fetched, 2u);
  EXPECT_GT(duo.cluster.sent(1, MessageKind::Leave), 0u);
}

TEST(DenseWrites, AReaderThatWritesElsewhereUsesWhatIsSentWhole) {
  Duo duo;
  const Counts counts = run(duo, kLast, [&](int round) {
    duo.one.write<int>(duo.at(4 * kBlock), round); // A Put is under way in each barrier.
  });
  EXPECT_GT(counts.bare, kRounds * 3 / 4);
  EXPECT_EQ(duo.cluster.sent(1, MessageKind::Leave), 0u);
}

/// As a message of a program that passes 64 KiB would be.
TEST(DenseWrites, LargeBlocksLeaveInAsFewMessagesAsHaveRoomForThem) {
  constexpr std::size_t kBytes = 64 * 1024, kLarge = 2048;
  ClusterOptions options;
  options.areas = {{0, kBytes, 0, /*blockShift=*/11, false, false}};
  Duo duo(options);
  std::uint64_t updates = 0, single = 0;
  for (int round = 1; round <= 60; ++round) {
    const std::uint64_t before = duo.cluster.sent(0, MessageKind::Update);
    for (std::size_t begin = 0; begin < kBytes; begin += kLarge) {
      duo.home.check(duo.at(begin), kLarge - sizeof(int), Access::Write);
      for (std::size_t at = 0; at < kLarge - sizeof(int); at += sizeof(int))
        duo.home.poke<int>(duo.at(begin + at), valueOf(round) + int(at));
    }
    duo.barrier();
    for (std::size_t begin = 0; begin < kBytes; begin += kLarge)
      EXPECT_EQ(duo.one.read<int>(duo.at(begin)), valueOf(round));
    duo.barrier();
    const std::uint64_t sent = duo.cluster.sent(0, MessageKind::Update) - before;
    updates += sent != 0;
    single += sent == 1;
  }
  EXPECT_GT(updates, 50u);
  EXPECT_GT(single, updates * 3 / 4) << "but where blocks have twins, one in sixteen";
}

TEST(WriteDensity, IsSevenOfEightLinesAndHalfOfTheBytes) {
  std::array<LineMask, 8> lines{};
  lines.fill(~LineMask(0));
  EXPECT_TRUE(WriteDensity::isDense(lines));
  lines[3] = 0;
  EXPECT_TRUE(WriteDensity::isDense(lines));
  lines[4] = 0;
  EXPECT_FALSE(WriteDensity::isDense(lines));
  lines.fill(0x5555555555555555);
  EXPECT_TRUE(WriteDensity::isDense(lines));
  lines.fill(0x1111111111111111);
  EXPECT_FALSE(WriteDensity::isDense(lines));
}

TEST(WriteDensity, TwoComparisonsBelieveItAndOneDoesNot) {
  WriteDensity densities;
  const auto compare = [&](bool dense) { densities.onChanged(kBlock, 8, dense); };
  const auto expects = [&] { return densities.expects(kBlock, 8); };
  compare(true);
  EXPECT_FALSE(expects());
  compare(true);
  EXPECT_TRUE(expects());
  compare(false);
  EXPECT_FALSE(expects());
  compare(true);
  compare(true);
  densities.onUnchanged(kBlock, 8);
  EXPECT_FALSE(expects());
  compare(true);
  EXPECT_TRUE(expects());
  densities.onPut(kBlock, 8);
  EXPECT_FALSE(expects());
}

TEST(LatestPuts, ThoseThatTheHomeHadNotProcessedHaveCrossed) {
  LatestPuts puts;
  EXPECT_FALSE(puts.hasCrossed(kBlock, 8, 0)) << "there is none";
  puts.onPut(kBlock, 8, 7);
  EXPECT_TRUE(puts.hasCrossed(kBlock, 8, 6));
  EXPECT_FALSE(puts.hasCrossed(kBlock, 8, 7));
  EXPECT_FALSE(puts.hasCrossed(2 * kBlock, 8, 6)) << "it was about another block";
  puts.onMoved(kBlock, 8);
  EXPECT_FALSE(puts.hasCrossed(kBlock, 8, 0));
}

TEST(LatestPuts, NumbersOfMoreBitsThanAreKeptCompareAsWell) {
  LatestPuts puts;
  puts.onPut(kBlock, 8, 0x1'0000'0003);
  EXPECT_TRUE(puts.hasCrossed(kBlock, 8, 0xffff'ffff));
  EXPECT_FALSE(puts.hasCrossed(kBlock, 8, 3));
}

} // namespace
} // namespace ompdsm::test
