// AtomicTest.cpp: atomic operations of several nodes, and what they leave alone.
#include "protocol/engine/AtomicTraffic.h"
#include "test/unit/Trio.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

TEST(Atomic, AtomicsOfAllNodesAddUp) {
  Trio trio;
  for (int i = 0; i < 10; ++i)
    for (NodeThread *thread : {&trio.home, &trio.one, &trio.two})
      thread->atomicAdd(trio.at(16), 1);
  for (NodeThread *thread : {&trio.home, &trio.one, &trio.two})
    EXPECT_EQ(thread->atomicLoad(trio.at(16)), 30u);
  EXPECT_EQ(trio.two.atomicCompareExchange(trio.at(16), 30, 7), 30u);
  EXPECT_EQ(trio.one.atomicExchange(trio.at(16), 8), 7u);
  EXPECT_EQ(trio.home.atomicLoad(trio.at(16)), 8u);
}

TEST(Atomic, AnAtomicSeesWhatItsThreadStoredBefore) {
  Trio trio;
  trio.one.write<std::uint64_t>(trio.at(16), 5);
  EXPECT_EQ(trio.one.atomicAdd(trio.at(16), 1), 5u);
  EXPECT_EQ(trio.one.read<std::uint64_t>(trio.at(16)), 6u);
}

TEST(Atomic, AnAtomicDoesNotEndThePermissionsOfItsThread) {
  Trio trio;
  trio.one.write<std::uint64_t>(trio.at(0), 1);
  trio.one.atomicAdd(trio.at(16), 1);
  trio.one.poke<std::uint64_t>(trio.at(0), 2); // still under the first check
  trio.one.release();
  trio.home.syncPoint();
  EXPECT_EQ(trio.home.read<std::uint64_t>(trio.at(0)), 2u);
}

TEST(Atomic, AnAtomicWritesNoMoreThanItsBytesOfTheOldValue) {
  Trio trio;
  Engine &engine = trio.cluster.engine(1);
  ThreadRegistration *thread = engine.registerThread();
  AtomicOperation operation;
  operation.bytes = 1;
  std::byte old[16];
  for (std::byte &byte : old)
    byte = std::byte{0xee};
  engine.atomic(thread, trio.at(16), operation, old);
  EXPECT_EQ(old[0], std::byte{0});
  for (unsigned i = 1; i < 16; ++i)
    EXPECT_EQ(old[i], std::byte{0xee});
  engine.unregisterThread(thread);
}

TEST(Atomic, UpdatesOfAllNodesAddUpBehindABarrier) {
  Trio trio;
  for (int i = 0; i < 300; ++i)
    for (NodeThread *thread : {&trio.home, &trio.one, &trio.two})
      thread->update(trio.at(16), 2);
  trio.barrier();
  for (NodeThread *thread : {&trio.home, &trio.one, &trio.two})
    EXPECT_EQ(thread->read<std::uint64_t>(trio.at(16)), 1800u);
}

TEST(Atomic, AReleaseWaitsForUpdates) {
  Trio trio;
  EXPECT_EQ(trio.two.read<std::uint64_t>(trio.at(24)), 0u);
  trio.one.update(trio.at(16), 2);
  trio.one.update(trio.at(24), 3);
  trio.one.release();
  trio.two.syncPoint();
  trio.home.syncPoint();
  EXPECT_EQ(trio.two.read<std::uint64_t>(trio.at(24)), 3u);
  EXPECT_EQ(trio.home.read<std::uint64_t>(trio.at(16)), 2u);
}

TEST(Atomic, WhoHasUpdatedReadsWhatItHasMadeOfIt) {
  Trio trio;
  EXPECT_EQ(trio.one.read<std::uint64_t>(trio.at(16)), 0u);
  trio.one.update(trio.at(16), 2); // it has a copy,
  EXPECT_EQ(trio.one.read<std::uint64_t>(trio.at(16)), 2u);
  trio.one.write<std::uint64_t>(trio.at(16), 7);
  trio.one.update(trio.at(16), 2); // and has written it
  EXPECT_EQ(trio.one.read<std::uint64_t>(trio.at(16)), 9u);
  EXPECT_EQ(trio.one.atomicAdd(trio.at(16), 1), 9u);
}

TEST(Atomic, AnUpdateLeavesAloneOrWithManyOthers) {
  AtomicPace pace;
  AtomicPace::Time now{std::chrono::hours(1)};
  const auto onPosted = [&](bool areHurried) {
    return pace.onPosted(areHurried, [&] { return now; });
  };
  EXPECT_TRUE(onPosted(false));
  EXPECT_FALSE(onPosted(false));
  for (unsigned i = 2; i < AtomicPace::kMostTogether; ++i)
    ASSERT_FALSE(onPosted(true)) << i;
  EXPECT_TRUE(onPosted(true));
  EXPECT_FALSE(onPosted(false));
  now += AtomicPace::kAlone;
  EXPECT_FALSE(onPosted(true)); // it leaves with the others, soon
  EXPECT_TRUE(onPosted(false));
}

TEST(Atomic, LoadsAskSomeTimesAndThenReadACopy) {
  using enum AtomicReads::Way;
  AtomicReads reads;
  constexpr Address kBlock = 1 << 20;
  constexpr unsigned kShift = 8;
  unsigned number = 0;
  const auto load = [&](bool readable, std::uint32_t interval) {
    return reads.onLoad(kBlock + ++number % 2 * 8, kBlock, kShift, readable, interval);
  };
  const auto expectAsks = [&](std::uint32_t interval) {
    for (unsigned i = 0; i < AtomicReads::kLeastAsked; ++i)
      EXPECT_EQ(load(true, interval), Ask);
  };
  expectAsks(1);
  EXPECT_EQ(load(true, 1), Fetch) << "what is there may be old";
  reads.onFetched(kBlock, kShift, 1);
  for (unsigned i = 0; i < AtomicReads::kMostLoads; ++i)
    ASSERT_EQ(load(true, 1), Copy);
  expectAsks(1);
  EXPECT_EQ(load(true, 1), Fetch);
  reads.onFetched(kBlock, kShift, 1);
  EXPECT_EQ(load(true, 1), Copy);
  EXPECT_EQ(load(false, 1), Ask) << "it has ended";
  EXPECT_EQ(load(true, 1), Ask) << "what has come again may be older than the answer";
  EXPECT_EQ(load(true, 1), Fetch);
  reads.onFetched(kBlock, kShift, 1);
  expectAsks(2); // behind an acquire
  EXPECT_EQ(load(true, 2), Fetch);
  reads.onAsked(kBlock, kShift); // by another thread
  reads.onFetched(kBlock, kShift, 2);
  EXPECT_EQ(load(true, 2), Ask);
}

TEST(Atomic, WhoLoadsTheSameAgainAndAgainAsks) {
  using enum AtomicReads::Way;
  AtomicReads reads;
  constexpr Address kBlock = 1 << 20;
  constexpr unsigned kShift = 8;
  reads.onLoad(kBlock, kBlock, kShift, true, 1);
  for (unsigned i = 0; i < AtomicReads::kLeastAsked; ++i)
    reads.onLoad(kBlock + 8, kBlock, kShift, true, 1);
  reads.onFetched(kBlock, kShift, 1);
  unsigned copies = 0;
  while (reads.onLoad(kBlock + 16, kBlock, kShift, true, 1) == Copy)
    ASSERT_LE(++copies, AtomicReads::kMostRepeats + 1);
  EXPECT_GT(copies, 1u);
  EXPECT_EQ(reads.onLoad(kBlock + 16, kBlock, kShift, true, 1), Ask);
}

TEST(Atomic, LoadsOfManyNumbersAreFew) {
  Trio trio;
  for (unsigned i = 0; i < 16; ++i)
    trio.home.atomicAdd(trio.at(8 * i), i);
  for (unsigned times = 0; times < 20; ++times)
    for (unsigned i = 0; i < 16; ++i)
      ASSERT_EQ(trio.one.atomicLoad(trio.at(8 * i)), i);
  const auto asked = [&] { return trio.cluster.statistics(1).atomicsRemote.load(); };
  EXPECT_LE(asked(), 20u);
  trio.home.atomicAdd(trio.at(8), 7);
  trio.one.syncPoint();
  EXPECT_EQ(trio.one.atomicLoad(trio.at(8)), 8u);
}

TEST(Atomic, WhatNobodyReleasesIsSeenInTheEnd) {
  Trio trio;
  const auto loadBoth = [&] {
    return std::pair(trio.one.atomicLoad(trio.at(0)), trio.one.atomicLoad(trio.at(8)));
  };
  for (unsigned times = 0; times < 50; ++times)
    loadBoth();
  trio.home.atomicAdd(trio.at(0), 1);
  trio.home.atomicAdd(trio.at(8), 2);
  unsigned times = 0;
  while (loadBoth() != std::pair<std::uint64_t, std::uint64_t>(1, 2))
    ASSERT_LE(++times, AtomicReads::kMostLoads);
}

/// As where forces are added to nodes of a mesh by edges, and taken from there node by node.
TEST(Atomic, APageMovesToWhoAloneAddsToItAndStores) {
  ClusterOptions options = Trio::migratablePages(2);
  options.homePatience = 2;
  Trio trio(options);
  const auto forEachNumber = [&](auto visit) {
    for (std::size_t at = 4096; at < 2 * 4096; at += 256)
      visit(trio.at(at));
  };
  forEachNumber([&](Address number) { trio.home.write<std::uint64_t>(number, 1); });
  trio.barrier();
  const auto step = [&] {
    forEachNumber([&](Address number) { trio.one.atomicAdd(number, 2); });
    trio.barrier();
    forEachNumber([&](Address number) {
      trio.one.write<std::uint64_t>(number, trio.one.read<std::uint64_t>(number) + 1);
    });
    trio.barrier();
  };
  for (int times = 0; times < 8; ++times)
    step();
  EXPECT_EQ(trio.cluster.engine(2).homeOf(trio.at(4096)), 1);
  const std::uint64_t remote = trio.cluster.statistics(1).atomicsRemote;
  step();
  EXPECT_EQ(trio.cluster.statistics(1).atomicsRemote, remote);
  forEachNumber([&](Address number) {
    ASSERT_EQ(trio.two.read<std::uint64_t>(number), 28u);
    EXPECT_EQ(trio.home.atomicLoad(number), 28u);
  });
}

} // namespace
} // namespace ompdsm::test
