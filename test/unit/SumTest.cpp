// SumTest.cpp: what threads add to another node's blocks is kept beside these until it leaves.
#include "protocol/engine/SumHistory.h"
#include "protocol/engine/Sums.h"
#include "test/unit/Trio.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

constexpr unsigned kLeast = SumHistory::kLeast;

/// Until sums are kept of its block, in state and counters of node 1.
void addUntilSummed(Trio &trio, Address address) {
  for (unsigned i = 0; i < kLeast; ++i)
    trio.one.add<std::uint64_t>(address, 1);
  ASSERT_EQ(trio.cluster.stateAt(1, address), BlockState::Summed);
}

TEST(Sum, AdditionsOfAllNodesAddUpBehindABarrier) {
  Trio trio;
  for (int i = 0; i < 300; ++i)
    for (NodeThread *thread : {&trio.home, &trio.one, &trio.two})
      thread->add<std::uint64_t>(trio.at(16 + 8 * (i % 4)), 2);
  trio.barrier();
  for (NodeThread *thread : {&trio.home, &trio.one, &trio.two})
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(thread->read<std::uint64_t>(trio.at(16 + 8 * i)), 450u);
  for (NodeId node : {1, 2}) {
    EXPECT_EQ(trio.cluster.sent(node, MessageKind::Sums), 1u);
    EXPECT_LT(trio.cluster.statistics(node).atomicsRemote, kLeast);
  }
}

TEST(Sum, AReleaseSendsThem) {
  Trio trio;
  EXPECT_EQ(trio.two.read<std::uint64_t>(trio.at(24)), 0u);
  addUntilSummed(trio, trio.at(16));
  trio.one.add<std::uint64_t>(trio.at(24), 3);
  EXPECT_EQ(trio.home.atomicLoad(trio.at(24)), 0u);
  trio.one.release();
  trio.two.syncPoint();
  trio.home.syncPoint();
  EXPECT_EQ(trio.two.read<std::uint64_t>(trio.at(24)), 3u);
  EXPECT_EQ(trio.home.read<std::uint64_t>(trio.at(16)), kLeast);
  EXPECT_EQ(trio.cluster.stateAt(1, trio.at(16)), BlockState::Invalid);
}

TEST(Sum, WhoHasAddedFindsWhatItHasMadeOfIt) {
  const std::pair<const char *, std::uint64_t (*)(NodeThread &, Address)> ways[] = {
      {"read", [](NodeThread &thread, Address at) { return thread.read<std::uint64_t>(at); }},
      {"load", [](NodeThread &thread, Address at) { return thread.atomicLoad(at); }},
      {"add", [](NodeThread &thread, Address at) { return thread.atomicAdd(at, 0); }},
      {"exchange", [](NodeThread &thread, Address at) { return thread.atomicExchange(at, 0); }},
      {"store beside",
       [](NodeThread &thread, Address at) {
         thread.write<std::uint64_t>(at + 8, 1);
         return thread.peek<std::uint64_t>(at);
       }},
      {"update", [](NodeThread &thread, Address at) {
         thread.update(at, 0); // as an operation of which no sums are kept
         return thread.atomicLoad(at);
       }}};
  for (const auto &[name, find] : ways) {
    Trio trio;
    trio.one.write<std::uint64_t>(trio.at(16), 70);
    trio.one.release();
    for (unsigned i = 0; i < 2 * kLeast; ++i)
      trio.one.add<std::uint64_t>(trio.at(16), 2);
    ASSERT_EQ(trio.cluster.stateAt(1, trio.at(16)), BlockState::Summed) << name;
    EXPECT_EQ(find(trio.one, trio.at(16)), 70u + 4 * kLeast) << name;
  }
}

TEST(Sum, OfNumbersOfSeveralSizesInOneLineEachIsItsOwn) {
  Trio trio;
  trio.home.write<std::uint32_t>(trio.at(28), 5); // a neighbour that no carry may reach
  trio.home.release();
  for (unsigned i = 0; i < 100; ++i) {
    trio.one.add<std::uint64_t>(trio.at(16), 0x100000001);
    trio.one.add<std::uint32_t>(trio.at(24), 0x80000000u + i);
    trio.one.add<std::uint8_t>(trio.at(32), 3);
  }
  trio.one.release();
  EXPECT_EQ(trio.home.read<std::uint64_t>(trio.at(16)), 100 * 0x100000001u);
  EXPECT_EQ(trio.home.read<std::uint32_t>(trio.at(24)), 4950u);
  EXPECT_EQ(trio.home.read<std::uint32_t>(trio.at(28)), 5u);
  EXPECT_EQ(trio.home.read<std::uint8_t>(trio.at(32)), std::uint8_t(300));
  EXPECT_EQ(trio.cluster.sent(1, MessageKind::Sums), 3u);
}

TEST(Sum, TheyBeginAgainAtOnceWhereManyNumbersWereSent) {
  Trio trio;
  addUntilSummed(trio, trio.at(0));
  for (std::size_t at = 8; at < 128; at += 8)
    trio.one.add<std::uint64_t>(trio.at(at), 1);
  trio.one.release();
  const std::uint64_t remote = trio.cluster.statistics(1).atomicsRemote;
  trio.one.add<std::uint64_t>(trio.at(8), 1);
  EXPECT_EQ(trio.cluster.stateAt(1, trio.at(8)), BlockState::Summed);
  EXPECT_EQ(trio.cluster.statistics(1).atomicsRemote, remote);
  EXPECT_EQ(trio.cluster.statistics(1).blocksSummed, 2u);
}

TEST(Sum, WhereTheBlockIsAskedForTheyBeginEverLater) {
  Trio trio;
  std::uint64_t all = 0;
  for (unsigned times = kLeast; times <= 8 * kLeast; times *= 2) {
    for (unsigned i = 1; i < times; ++i, ++all)
      trio.one.add<std::uint64_t>(trio.at(0), 1);
    EXPECT_NE(trio.cluster.stateAt(1, trio.at(0)), BlockState::Summed) << times;
    trio.one.add<std::uint64_t>(trio.at(0), 1);
    ++all;
    EXPECT_EQ(trio.cluster.stateAt(1, trio.at(0)), BlockState::Summed) << times;
    EXPECT_EQ(trio.one.atomicLoad(trio.at(0)), all);
  }
}

TEST(Sum, WhatNobodyReleasesLeavesInTheEnd) {
  Trio trio;
  addUntilSummed(trio, trio.at(16));
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (trio.home.atomicLoad(trio.at(16)) != kLeast)
    ASSERT_LT(std::chrono::steady_clock::now(), end);
  EXPECT_EQ(trio.cluster.statistics(1).releases, 0u);
}

TEST(Sum, OfManyBlocksOfEverySizeAllLeaveInOneRelease) {
  for (const unsigned blockShift : {6, 8, 11, 16}) {
    constexpr std::size_t kBytes = 1 << 20;
    ClusterOptions options;
    options.areas = {{0, kBytes, 0, std::uint8_t(blockShift)}};
    Cluster cluster(options);
    NodeThread home(cluster, 0), adder(cluster, 1), beside(cluster, 1); // not alone on its node
    for (const bool isAlone : {false, true}) {
      if (isAlone)
        beside.goOffline();
      for (std::size_t at = 0; at < kBytes; at += 8)
        adder.add<std::uint64_t>(cluster.at(0, at), at);
      adder.release();
      for (std::size_t at = 0; at < kBytes; at += 8)
        ASSERT_EQ(home.atomicLoad(cluster.at(0, at)), at * (isAlone ? 2 : 1)) << blockShift;
    }
    EXPECT_GT(cluster.sent(1, MessageKind::Sums), 10u);
  }
}

TEST(Sum, AHomeThatMovesToWhoAddsTakesAllOfThem) {
  ClusterOptions options = Trio::migratablePages(1);
  Trio trio(options);
  std::uint64_t all = 0;
  for (int round = 0; round < 6; ++round) {
    for (unsigned i = 0; i < 2 * kLeast; ++i, ++all)
      trio.one.add<std::uint64_t>(trio.at(16), 1);
    EXPECT_EQ(trio.one.read<std::uint64_t>(trio.at(16)), all);
    trio.barrier();
    EXPECT_EQ(trio.home.read<std::uint64_t>(trio.at(16)), all);
    trio.barrier();
  }
  EXPECT_EQ(trio.home.atomicLoad(trio.at(16)), all);
}

TEST(Sum, NoneAreKeptIfTheyAreSwitchedOffOrBytesAreNotTracked) {
  ClusterOptions off = Trio::threeNodes(), untracked = Trio::threeNodes();
  off.keepSums = false;
  untracked.areas[0].untracked = true;
  for (const ClusterOptions &options : {off, untracked}) {
    Trio trio(options);
    for (unsigned i = 0; i < 3 * kLeast; ++i)
      trio.one.add<std::uint64_t>(trio.at(16), 1);
    trio.one.release();
    EXPECT_EQ(trio.home.atomicLoad(trio.at(16)), 3u * kLeast);
    EXPECT_EQ(trio.cluster.sent(1, MessageKind::Sums), 0u);
  }
}

TEST(Sum, TheirMemoryIsBounded) {
  Sums sums;
  constexpr Address kBegin = Address(1) << 40;
  const auto at = [](std::size_t chunk) { return kBegin + chunk * Sums::kChunkBytes + 8; };
  const SumKind kind{1, 8}, other{1, 4};
  EXPECT_EQ(sums.find(at(0), kind), nullptr);
  for (std::size_t chunk = 0; chunk < Sums::kMostChunks; ++chunk)
    ASSERT_NE(sums.findOrAdd(at(chunk), kind), nullptr) << chunk;
  EXPECT_EQ(sums.findOrAdd(at(0), other), nullptr);
  EXPECT_EQ(sums.findOrAdd(at(Sums::kMostChunks), kind), nullptr);
  EXPECT_EQ(sums.findOrAdd(at(7), kind), sums.find(at(7), kind));
  EXPECT_EQ(sums.find(at(7), kind) + 8, sums.find(at(7) + 8, kind));
  EXPECT_NE(sums.find(at(7), kind), sums.find(at(8), kind));
}

/// A thread is about to add when another one of its node ends the state.
TEST(Sum, ALateAdditionLeavesWithItsThreadsNextRelease) {
  const std::pair<const char *, void (*)(NodeThread &, Address)> ways[] = {
      {"release", [](NodeThread &thread, Address) { thread.release(); }},
      {"read", [](NodeThread &thread, Address at) { thread.read<std::uint64_t>(at + 8); }},
      {"write", [](NodeThread &thread, Address at) { thread.write<std::uint64_t>(at + 8, 1); }},
      {"load", [](NodeThread &thread, Address at) { thread.atomicLoad(at); }},
      {"release, then more",
       [](NodeThread &thread, Address at) {
         thread.release();
         for (unsigned i = 0; i < kLeast; ++i)
           thread.add<std::uint64_t>(at + 8, 1);
       }},
      {"read, then another late one", [](NodeThread &thread, Address at) {
         thread.read<std::uint64_t>(at + 8);
         for (unsigned i = 0; i < 2 * kLeast; ++i)
           thread.add<std::uint64_t>(at + 8, 1);
         thread.add<std::uint64_t>(at + 8, 1, [&] { thread.release(); });
       }}};
  for (const auto &[name, end] : ways) {
    Trio trio;
    NodeThread other(trio.cluster, 1);
    addUntilSummed(trio, trio.at(16));
    trio.one.add<std::uint64_t>(trio.at(16), 1, [&] { end(other, trio.at(16)); });
    EXPECT_EQ(trio.one.atomicLoad(trio.at(16)), kLeast + 1) << name;
    trio.one.add<std::uint64_t>(trio.at(16), 1);
    trio.one.release();
    trio.home.syncPoint();
    EXPECT_EQ(trio.home.atomicLoad(trio.at(16)), kLeast + 2) << name;
    other.release();
    trio.home.syncPoint();
    EXPECT_EQ(trio.home.atomicLoad(trio.at(24)), other.atomicLoad(trio.at(24))) << name;
  }
}

/// What a late thread finds may be others' too, and these may release next.
TEST(Sum, WhoSettlesSendsWhatOthersHaveAdded) {
  Trio trio;
  NodeThread other(trio.cluster, 1);
  addUntilSummed(trio, trio.at(16));
  trio.one.add<std::uint64_t>(trio.at(16), 1, [&] {
    other.release();
    for (unsigned i = 0; i < kLeast; ++i)
      other.add<std::uint64_t>(trio.at(24), 1);
    other.add<std::uint64_t>(trio.at(16), 5, [&] { other.read<std::uint64_t>(trio.at(32)); });
  });
  other.release();
  trio.home.syncPoint();
  EXPECT_EQ(trio.home.atomicLoad(trio.at(24)), kLeast);
  EXPECT_GE(trio.home.atomicLoad(trio.at(16)), kLeast + 5u);
  trio.one.release();
  trio.home.syncPoint();
  EXPECT_EQ(trio.home.atomicLoad(trio.at(16)), kLeast + 6u);
}

/// The same, at any time, again and again.
TEST(Sum, AdditionsBesideReleasesAndReadsAreNotLost) {
  Cluster cluster(ClusterOptions{});
  constexpr unsigned kRounds = 6400000, kNumbers = 2 * SumHistory::kMany;
  const Address beside = cluster.at(0, 8 * kNumbers);
  NodeThread home(cluster, 0);
  std::atomic<bool> ended{false};
  std::thread adder([&] {
    NodeThread thread(cluster, 1);
    for (unsigned i = 0; i < kRounds; ++i)
      thread.add<std::uint64_t>(cluster.at(0, 8 * (i % kNumbers)), 1);
    thread.release();
    ended = true;
  });
  std::uint64_t added = 0;
  unsigned wrong = 0;
  NodeThread thread(cluster, 1);
  while (!ended) {
    thread.add<std::uint64_t>(beside, 1);
    if (++added % 16 == 0)
      wrong +=
          (added % 32 ? thread.read<std::uint64_t>(beside) : thread.atomicLoad(beside)) != added;
    thread.release();
  }
  adder.join();
  EXPECT_EQ(wrong, 0u);
  for (unsigned i = 0; i < kNumbers; ++i)
    EXPECT_EQ(home.atomicLoad(cluster.at(0, 8 * i)), kRounds / kNumbers) << i;
  EXPECT_EQ(home.atomicLoad(beside), added);
  EXPECT_GT(cluster.statistics(1).blocksSummed, 0u);
}

} // namespace
} // namespace ompdsm::test
