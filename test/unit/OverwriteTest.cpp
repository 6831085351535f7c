// OverwriteTest.cpp: blocks that a thread overwrites whole need neither their contents nor a twin.
#include "test/unit/Trio.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

constexpr std::size_t kBlock = 256, kBytes = 4096;

/// All of [begin, begin + bytes) becomes `value`, by 4 bytes.
void overwrite(NodeThread &thread, Address begin, std::size_t bytes, int value) {
  thread.check(begin, bytes, Access::Overwrite);
  for (std::size_t at = 0; at < bytes; at += sizeof(int))
    thread.poke<int>(begin + at, value);
}

TEST(Overwrite, NothingIsFetchedAndNoTwinIsMade) {
  Trio trio;
  overwrite(trio.one, trio.at(0), kBytes, 7);
  EXPECT_EQ(trio.cluster.stateAt(1, trio.at(0)), BlockState::Whole);
  trio.one.release();
  EXPECT_EQ(trio.cluster.stateAt(1, trio.at(0)), BlockState::Unread);
  EXPECT_EQ(trio.cluster.stateAt(0, trio.at(0)), BlockState::Shared);
  EXPECT_EQ(trio.one.read<int>(trio.at(0)), 7);
  EXPECT_EQ(trio.cluster.stateAt(1, trio.at(0)), BlockState::Clean);
  EXPECT_EQ(trio.cluster.sent(1, MessageKind::Get), 0u);
  EXPECT_EQ(trio.cluster.sent(1, MessageKind::Put), 1u);
  EXPECT_EQ(trio.cluster.statistics(1).twins + trio.cluster.statistics(0).twins, 0u);
  trio.two.syncPoint();
  EXPECT_EQ(trio.home.read<int>(trio.at(kBytes - 4)), 7);
  EXPECT_EQ(trio.two.read<int>(trio.at(0)), 7);
}

/// Node 1 overwrites, and the home writes; `rounds` times.
void transpose(Trio &trio, int rounds) {
  for (int round = 1; round <= rounds; ++round) {
    overwrite(trio.one, trio.at(0), kBytes, round);
    trio.barrier();
    EXPECT_EQ(trio.home.read<int>(trio.at(8)), round);
    for (Address at = 0; at < kBytes; at += kBlock)
      trio.home.write<int>(trio.at(at), -round);
    trio.barrier();
  }
}

TEST(Overwrite, WhatTheOverwriterDoesNotReadItDoesNotKeep) {
  constexpr std::uint64_t kBlocks = kBytes / kBlock;
  Trio trio;
  transpose(trio, 1);
  EXPECT_EQ(trio.cluster.statistics(0).twins, kBlocks);
  EXPECT_EQ(trio.cluster.statistics(0).invalidations, kBlocks);
  transpose(trio, 7); // fewer than are watched again
  overwrite(trio.one, trio.at(0), kBytes, 1);
  trio.barrier();
  EXPECT_EQ(trio.cluster.stateAt(1, trio.at(0)), BlockState::Invalid);
  EXPECT_EQ(trio.cluster.stateAt(0, trio.at(0)), BlockState::Exclusive);
  EXPECT_EQ(trio.cluster.statistics(0).twins, kBlocks) << "of the first round";
  EXPECT_EQ(trio.cluster.statistics(0).invalidations, kBlocks);
  EXPECT_EQ(trio.cluster.sent(1, MessageKind::Get), 0u);
}

TEST(Overwrite, WhatTheOverwriterReadsItKeeps) {
  Trio trio;
  transpose(trio, 3);
  overwrite(trio.one, trio.at(0), kBytes, 1);
  trio.barrier();
  EXPECT_EQ(trio.one.read<int>(trio.at(8)), 1);
  EXPECT_GT(trio.cluster.sent(1, MessageKind::Get), 0u) << "a wrong guess costs a fetch";
  const auto gets = trio.cluster.sent(1, MessageKind::Get);
  for (int round = 0; round < 3; ++round) {
    trio.barrier();
    overwrite(trio.one, trio.at(0), kBlock, round);
    trio.barrier();
    EXPECT_EQ(trio.cluster.stateAt(1, trio.at(0)), BlockState::Clean);
    EXPECT_EQ(trio.one.read<int>(trio.at(8)), round);
  }
  EXPECT_EQ(trio.cluster.sent(1, MessageKind::Get), gets);
}

/// Node 1 reads what the home rewrites, again and again.
TEST(Overwrite, AHomeThatOverwritesMakesNoTwin) {
  constexpr std::uint64_t kBlocks = kBytes / kBlock;
  Trio trio;
  std::uint64_t twins = 0, gets = 0;
  for (int round = 1; round <= 4; ++round) {
    trio.home.check(trio.at(0), kBytes, Access::Rewrite);
    if (round > 1)
      EXPECT_EQ(trio.cluster.stateAt(0, trio.at(0)), BlockState::HomeWhole);
    for (Address at = 0; at < kBytes; at += sizeof(int))
      trio.home.poke<int>(trio.at(at), trio.home.peek<int>(trio.at(at)) + round);
    trio.barrier();
    for (Address at = 0; at < kBytes; at += kBlock)
      EXPECT_EQ(trio.one.read<int>(trio.at(at + 8)), round * (round + 1) / 2);
    trio.barrier();
    EXPECT_EQ(trio.cluster.stateAt(0, trio.at(0)), BlockState::Shared);
    if (round == 2) { // The first serves what it tracks, the others push.
      twins = trio.cluster.statistics(0).twins;
      gets = trio.cluster.sent(1, MessageKind::Get);
    }
  }
  EXPECT_EQ(trio.cluster.statistics(0).twins, twins);
  EXPECT_EQ(trio.cluster.sent(1, MessageKind::Get), gets);
  EXPECT_EQ(trio.cluster.statistics(0).blocksPushed, 3 * kBlocks);
}

TEST(Overwrite, ABlockThatIsRewrittenInPartHasATwin) {
  Trio trio;
  EXPECT_EQ(trio.one.read<int>(trio.at(0)), 0);
  trio.barrier();
  trio.home.check(trio.at(4), kBlock, Access::Rewrite);
  EXPECT_EQ(trio.cluster.stateAt(0, trio.at(0)), BlockState::HomeDirty);
}

TEST(Overwrite, WhatIsReadBeforeIsFetched) {
  Trio trio;
  trio.home.write<int>(trio.at(8), 7);
  trio.barrier();
  trio.one.check(trio.at(0), kBlock, Access::Rewrite);
  EXPECT_EQ(trio.one.peek<int>(trio.at(8)), 7);
  EXPECT_EQ(trio.cluster.stateAt(1, trio.at(0)), BlockState::Dirty);
}

TEST(Overwrite, AllIsKeptIfItIsSwitchedOff) {
  ClusterOptions options = Trio::threeNodes();
  options.dropUnread = false;
  Trio trio(options);
  transpose(trio, 3);
  EXPECT_EQ(trio.cluster.statistics(0).invalidations, 3 * kBytes / kBlock);
  overwrite(trio.one, trio.at(0), kBytes, 1);
  trio.barrier();
  EXPECT_EQ(trio.cluster.stateAt(1, trio.at(0)), BlockState::Clean);
}

TEST(Overwrite, ThreadsThatMayStillStoreAreNotForgotten) {
  ClusterOptions options;
  options.threadsPerNode = 2;
  Cluster cluster(options);
  NodeThread home(cluster, 0), one(cluster, 1), other(cluster, 1);
  for (int round = 1; round <= 4; ++round) {
    overwrite(one, cluster.at(0, 0), kBlock, round);
    other.release(); // while the first may store
    one.poke<int>(cluster.at(0, 8), 100 + round);
    one.release();
    home.syncPoint();
    EXPECT_EQ(home.read<int>(cluster.at(0, 4)), round);
    EXPECT_EQ(home.read<int>(cluster.at(0, 8)), 100 + round);
    home.write<int>(cluster.at(0, 4), -round);
    home.release();
    one.syncPoint();
    other.syncPoint();
  }
}

TEST(Overwrite, AUnitOfWhichNothingIsKeptMovesWhenNobodyElseWritesItAnyMore) {
  ClusterOptions options = Trio::threeNodes();
  options.areas[0].migratable = true;
  options.homePatience = 2;
  Trio trio(options);
  trio.home.write<int>(trio.at(0), 1); // its pages are not unused
  transpose(trio, 40);
  EXPECT_EQ(trio.cluster.engine(2).homeOf(trio.at(0)), 0) << "two nodes write there in turns";
  for (int round = 0; round < 200 && trio.cluster.engine(2).homeOf(trio.at(0)) == 0; ++round) {
    overwrite(trio.one, trio.at(0), kBytes, round);
    trio.barrier();
  }
  EXPECT_EQ(trio.cluster.engine(2).homeOf(trio.at(0)), 1);
}

TEST(Overwrite, OnlyPartOfABlockIsAWrite) {
  Trio trio;
  trio.home.write<int>(trio.at(0), 1);
  trio.home.write<int>(trio.at(2 * kBlock + 64), 2);
  overwrite(trio.one, trio.at(64), 2 * kBlock, 7);
  EXPECT_EQ(trio.cluster.stateAt(1, trio.at(0)), BlockState::Dirty);
  EXPECT_EQ(trio.cluster.stateAt(1, trio.at(kBlock)), BlockState::Whole);
  EXPECT_EQ(trio.cluster.stateAt(1, trio.at(2 * kBlock)), BlockState::Dirty);
  trio.one.release();
  trio.home.syncPoint();
  EXPECT_EQ(trio.home.read<int>(trio.at(0)), 1);
  EXPECT_EQ(trio.home.read<int>(trio.at(64)), 7);
  EXPECT_EQ(trio.home.read<int>(trio.at(2 * kBlock + 60)), 7);
  EXPECT_EQ(trio.home.read<int>(trio.at(2 * kBlock + 64)), 2);
}

TEST(Overwrite, ReadersAreToldAndTheWriterIsToldOfLaterWrites) {
  Trio trio;
  EXPECT_EQ(trio.two.read<int>(trio.at(8)), 0);
  overwrite(trio.one, trio.at(0), kBlock, 7);
  trio.one.release();
  trio.two.syncPoint();
  trio.home.syncPoint();
  EXPECT_EQ(trio.two.read<int>(trio.at(8)), 7);
  trio.home.write<int>(trio.at(8), 8);
  trio.home.release();
  trio.one.syncPoint();
  EXPECT_EQ(trio.one.read<int>(trio.at(8)), 8);
}

TEST(Overwrite, AnotherThreadsReleaseMayComeInBetween) {
  Cluster cluster{ClusterOptions()};
  NodeThread home(cluster, 0), one(cluster, 1), other(cluster, 1);
  home.write<int>(cluster.at(0, 8), 1);
  home.release();
  one.check(cluster.at(0, 0), kBlock, Access::Overwrite);
  other.release();
  for (std::size_t at = 0; at < kBlock; at += sizeof(int))
    one.poke<int>(cluster.at(0, at), at == 8 ? 0 : 7);
  one.release();
  home.syncPoint();
  EXPECT_EQ(home.read<int>(cluster.at(0, 4)), 7);
  EXPECT_EQ(home.read<int>(cluster.at(0, 8)), 0) << "also what was there in the old copy";
}

TEST(Overwrite, AnAtomicOperationSeesIt) {
  Trio trio;
  overwrite(trio.one, trio.at(0), kBlock, 0);
  trio.one.poke<std::uint64_t>(trio.at(16), 5);
  EXPECT_EQ(trio.one.atomicLoad(trio.at(16)), 5u);
  EXPECT_EQ(trio.one.atomicExchange(trio.at(16), 6), 5u);
  trio.one.poke<int>(trio.at(8), 3);
  trio.one.release();
  trio.home.syncPoint();
  EXPECT_EQ(trio.home.read<std::uint64_t>(trio.at(16)), 6u);
  EXPECT_EQ(trio.home.read<int>(trio.at(8)), 3);
}

TEST(Overwrite, ZerosAreNotSent) {
  Trio trio;
  for (std::size_t at = 0; at < kBytes; at += kBlock)
    trio.home.write<int>(trio.at(at), 9);
  trio.home.release();
  overwrite(trio.one, trio.at(0), kBytes, 0);
  trio.one.release();
  EXPECT_LT(trio.cluster.messenger(1).counters(MessageKind::Put).bytes, 100u);
  trio.home.syncPoint();
  for (std::size_t at = 0; at < kBytes; at += kBlock)
    EXPECT_EQ(trio.home.read<int>(trio.at(at)), 0);
}

TEST(Overwrite, TheHomeOfWhatOneNodeOverwritesMovesThere) {
  ClusterOptions options;
  options.nodes = 3;
  options.areas[0].migratable = true;
  Trio trio(options);
  overwrite(trio.one, trio.at(0), kBytes, 7);
  trio.barrier();
  EXPECT_EQ(trio.cluster.engine(2).homeOf(trio.at(0)), 1);
  EXPECT_EQ(trio.cluster.stateAt(1, trio.at(0)), BlockState::Exclusive);
  EXPECT_EQ(trio.two.read<int>(trio.at(8)), 7);
}

TEST(Overwrite, BothMayStoreTheSame) {
  Trio trio; // a race that harms nobody elsewhere
  EXPECT_EQ(trio.one.read<int>(trio.at(8)), 0);
  overwrite(trio.one, trio.at(0), kBlock, 7);
  overwrite(trio.two, trio.at(0), kBlock, 7);
  trio.two.release();
  trio.one.release();
  for (NodeThread *thread : {&trio.home, &trio.one, &trio.two}) {
    thread->syncPoint();
    EXPECT_EQ(thread->read<int>(trio.at(8)), 7);
  }
}

TEST(Overwrite, UntrackedMemoryIsFetched) {
  ClusterOptions options = Trio::threeNodes();
  options.areas[0].untracked = true;
  Trio trio(options);
  overwrite(trio.one, trio.at(0), kBlock, 0);
  EXPECT_EQ(trio.cluster.stateAt(1, trio.at(0)), BlockState::Dirty);
}

} // namespace
} // namespace ompdsm::test
