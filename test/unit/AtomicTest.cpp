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

/// A block of node 0 of which nodes 1 and 2 have copies.
struct Copies : Trio {
  explicit Copies(ClusterOptions options = threeNodes()) : Trio(options) {
    home.write<std::uint64_t>(at(16), 1);
    home.release();
    for (NodeThread *thread : {&one, &two})
      EXPECT_EQ(thread->read<std::uint64_t>(at(16)), 1u);
  }
  std::uint64_t fetched() { return cluster.statistics(1).blocksFetched; }
};

TEST(Atomic, ACopyStaysThatIsUpdatedAsTheHomeIs) {
  Copies copies;
  const std::uint64_t fetched = copies.fetched();
  for (std::uint64_t i = 0; i < 5; ++i) {
    copies.one.update(copies.at(16), 2);
    EXPECT_EQ(copies.one.read<std::uint64_t>(copies.at(16)), 3 + 2 * i);
  }
  copies.one.release();
  EXPECT_EQ(copies.fetched(), fetched);
  EXPECT_EQ(copies.cluster.stateAt(1, copies.at(16)), BlockState::Clean);
  EXPECT_EQ(copies.cluster.stateAt(2, copies.at(16)), BlockState::Invalid);
  EXPECT_NE(copies.cluster.stateAt(0, copies.at(16)), BlockState::Exclusive);
  copies.two.syncPoint();
  for (NodeThread *thread : {&copies.home, &copies.one, &copies.two})
    EXPECT_EQ(thread->read<std::uint64_t>(copies.at(16)), 11u);
}

TEST(Atomic, ACopyEndsWithUpdatesIfThatIsSwitchedOff) {
  ClusterOptions options = Trio::threeNodes();
  options.keepUpdated = false;
  Copies copies(options);
  copies.one.update(copies.at(16), 2);
  EXPECT_EQ(copies.cluster.stateAt(1, copies.at(16)), BlockState::Invalid);
  EXPECT_EQ(copies.one.read<std::uint64_t>(copies.at(16)), 3u);
}

/// What the home adds to the same number is no part of what its twin then has.
TEST(Atomic, WhoKeepsAnUpdatedCopyHearsWhatTheHomeHasAdded) {
  for (const bool addsFirst : {false, true})
    for (const bool isPushed : {false, true}) {
      ClusterOptions options = Trio::threeNodes();
      options.pushUpdates = isPushed;
      Copies copies(options);
      const Address number = copies.at(16);
      for (std::uint64_t all = 1, round = 0; round < 4; ++round, all += 15) {
        copies.home.write<std::uint64_t>(copies.at(32), round); // so that the block is open
        if (addsFirst)
          copies.home.atomicAdd(number, 10);
        copies.one.update(number, 5);
        copies.one.release();
        if (!addsFirst)
          copies.home.atomicAdd(number, 10);
        copies.home.release();
        copies.one.syncPoint();
        EXPECT_EQ(copies.one.read<std::uint64_t>(number), all + 15) << addsFirst << isPushed;
        EXPECT_EQ(copies.home.atomicLoad(number), all + 15);
      }
    }
}

TEST(Atomic, UpdatesOfCopiesOnAllNodesAddUp) {
  Copies copies;
  for (std::uint64_t all = 1, round = 1; round <= 20; ++round) {
    for (unsigned i = 0; i < round; ++i, all += 3)
      for (NodeThread *thread : {&copies.home, &copies.one, &copies.two})
        thread->update(copies.at(16), 1);
    copies.barrier();
    for (NodeThread *thread : {&copies.home, &copies.one, &copies.two})
      ASSERT_EQ(thread->read<std::uint64_t>(copies.at(16)), all) << round;
    copies.barrier();
  }
}

/// Bytes that the home pushes may lack an update of the copy that is under way.
TEST(Atomic, APushThatHasCrossedAnUpdateOfTheCopyIsOfNoUse) {
  Copies copies;
  std::uint64_t all = 1;
  for (unsigned round = 0; round < 200; ++round, all += 0x101) {
    std::thread other([&] {
      copies.one.update(copies.at(16), 0xff);
      copies.one.engineBarrier();
    });
    std::thread third([&] { copies.two.engineBarrier(); });
    copies.home.atomicAdd(copies.at(16), 2);
    copies.home.engineBarrier();
    other.join();
    third.join();
    ASSERT_EQ(copies.one.read<std::uint64_t>(copies.at(16)), all + 0x101) << round;
  }
}

/// Loads until a copy serves them; how many then are asked by ten more.
std::uint64_t askedByLoads(Copies &copies, Address number) {
  for (unsigned i = 0; i < AtomicReads::kMostRepeats; ++i)
    copies.one.atomicLoad(number + 8 * (i % 2));
  const std::uint64_t asked = copies.cluster.statistics(1).atomicsRemote;
  for (unsigned i = 0; i < 10; ++i)
    copies.one.atomicLoad(number + 8 * (i % 2));
  return copies.cluster.statistics(1).atomicsRemote - asked;
}

TEST(Atomic, LoadsOfWhatACopyHasByAMaximumAreServed) {
  for (const TestRmw how : {TestRmw::Max, TestRmw::Add}) {
    Copies copies;
    const Address number = copies.at(16);
    EXPECT_EQ(askedByLoads(copies, number), 0u);
    copies.one.update(number, 5, how);
    const std::uint64_t asked = copies.cluster.statistics(1).atomicsRemote;
    EXPECT_EQ(copies.one.atomicLoad(number), how == TestRmw::Max ? 5u : 6u);
    EXPECT_EQ(copies.cluster.statistics(1).atomicsRemote - asked, how == TestRmw::Max ? 0u : 1u);
    copies.one.update(number, 3, TestRmw::Max);
    EXPECT_EQ(copies.one.atomicLoad(number), how == TestRmw::Max ? 5u : 6u);
    copies.one.release();
    EXPECT_EQ(copies.home.atomicLoad(number), how == TestRmw::Max ? 5u : 6u);
  }
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
  reads.onAsked(kBlock, kBlock, kShift); // by another thread
  reads.onFetched(kBlock, kShift, 2);
  EXPECT_EQ(load(true, 2), Ask);
  EXPECT_EQ(reads.onLoad(kBlock + kLineBytes, kBlock, kShift, true, 2), Copy) << "another line";
  for (unsigned i = 1; i < AtomicReads::kMostBeside; ++i)
    EXPECT_EQ(load(true, 2), Ask);
  EXPECT_EQ(load(true, 2), Fetch);
  reads.onFetched(kBlock, kShift, 2);
  EXPECT_EQ(load(true, 2), Copy);
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
