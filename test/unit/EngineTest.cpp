// EngineTest.cpp: what one activity of the engine does, on two or three nodes, step by step.
//
// One thread of the test plays all the threads of all nodes, in an order that it chooses, so that a
// failure has one cause.
#include "test/unit/Trio.h"
#include <gtest/gtest.h>
#include <thread>

namespace ompdsm::test {
namespace {

TEST(Engine, AFetchBringsWhatTheHomeWrote) {
  Trio trio;
  trio.home.write<int>(trio.at(8), 41);
  EXPECT_EQ(trio.cluster.stateAt(0, trio.at(0)), BlockState::Exclusive);
  EXPECT_EQ(trio.cluster.stateAt(1, trio.at(0)), BlockState::Invalid);
  EXPECT_EQ(trio.one.read<int>(trio.at(8)), 41);
  EXPECT_EQ(trio.cluster.stateAt(1, trio.at(0)), BlockState::Clean);
  EXPECT_EQ(trio.cluster.stateAt(0, trio.at(0)), BlockState::HomeDirty);
}

TEST(Engine, AReleaseShowsTheHomesWritesToItsReaders) {
  Trio trio;
  EXPECT_EQ(trio.one.read<int>(trio.at(8)), 0);
  trio.home.write<int>(trio.at(8), 42);
  trio.home.release();
  trio.one.syncPoint();
  EXPECT_EQ(trio.one.read<int>(trio.at(8)), 42);
}

TEST(Engine, ZerosAreFetchedWithoutContentsOverWhatWasThere) {
  Trio trio;
  trio.home.write<int>(trio.at(8), 41);
  EXPECT_EQ(trio.one.read<int>(trio.at(8)), 41);
  trio.home.write<int>(trio.at(8), 0);
  trio.home.release();
  const std::uint64_t before = trio.cluster.statistics(1).bytesFetched;
  trio.one.syncPoint();
  EXPECT_EQ(trio.one.read<int>(trio.at(8)), 0);
  EXPECT_EQ(trio.cluster.statistics(1).bytesFetched, before);
}

TEST(Engine, ZerosAreMergedUnderAWriter) {
  Cluster cluster{ClusterOptions()};
  NodeThread home(cluster, 0), late(cluster, 1), other(cluster, 1);
  home.write<int>(cluster.at(0, 8), 41);
  late.write<int>(cluster.at(0, 16), 7);
  home.write<int>(cluster.at(0, 8), 0);
  home.release();
  other.syncPoint();
  EXPECT_EQ(other.read<int>(cluster.at(0, 8)), 0);
  late.poke<int>(cluster.at(0, 20), 8);
  EXPECT_EQ(other.peek<int>(cluster.at(0, 16)), 7);
  late.release();
  home.syncPoint();
  EXPECT_EQ(home.read<int>(cluster.at(0, 16)), 7);
  EXPECT_EQ(home.read<int>(cluster.at(0, 20)), 8);
}

TEST(Engine, AReleaseShowsACachersWritesToEveryOther) {
  Trio trio;
  EXPECT_EQ(trio.two.read<int>(trio.at(8)), 0);
  trio.one.write<int>(trio.at(8), 43);
  trio.one.release();
  trio.two.syncPoint();
  trio.home.syncPoint();
  EXPECT_EQ(trio.two.read<int>(trio.at(8)), 43);
  EXPECT_EQ(trio.home.read<int>(trio.at(8)), 43);
}

TEST(Engine, WritersOfOneBlockKeepEachOthersBytes) {
  Trio trio;
  trio.home.write<std::uint8_t>(trio.at(0), 1);
  trio.one.write<std::uint8_t>(trio.at(1), 2);
  trio.two.write<std::uint8_t>(trio.at(2), 3);
  trio.home.release();
  trio.one.release();
  trio.two.release();
  for (NodeThread *thread : {&trio.home, &trio.one, &trio.two}) {
    thread->syncPoint();
    for (std::uint8_t i = 0; i < 3; ++i)
      EXPECT_EQ(thread->read<std::uint8_t>(trio.at(i)), i + 1);
  }
}

TEST(Engine, ABarrierReleasesAndAcquiresOnAllNodes) {
  Trio trio;
  for (std::uint8_t round = 1; round < 10; ++round) {
    trio.home.write<std::uint8_t>(trio.at(0), round);
    trio.one.write<std::uint8_t>(trio.at(1), round);
    trio.two.write<std::uint8_t>(trio.at(2), round);
    trio.barrier();
    for (NodeThread *thread : {&trio.home, &trio.one, &trio.two})
      for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(thread->read<std::uint8_t>(trio.at(i)), round);
    trio.barrier();
  }
}

TEST(Engine, AReleaseBesideABarrierWaitsForWhatTheBarrierHasSent) {
  ClusterOptions options;
  Cluster cluster(options);
  NodeThread home(cluster, 0), one(cluster, 1), stray(cluster, 1);
  stray.write<int>(cluster.at(0, 0), 7);
  std::thread arrived([&] { one.engineBarrier(); });
  while (!cluster.engine(1).isInBarrier()) // Then node 1 has flushed, and wants no answer.
    std::this_thread::yield();
  stray.release();
  EXPECT_EQ(cluster.messenger(0).counters(MessageKind::PutAck).messages.load(), 1u);
  EXPECT_EQ(home.read<int>(cluster.at(0, 0)), 7);
  home.engineBarrier();
  arrived.join();
  stray.goOffline();
  one.write<int>(cluster.at(0, 64), 1);
  std::thread again([&] { one.engineBarrier(); });
  home.engineBarrier();
  again.join();
  one.release();
  EXPECT_EQ(cluster.messenger(0).counters(MessageKind::PutAck).messages.load(), 1u)
      << "the barrier was an answer";
}

TEST(Engine, ABarrierAnswersThoughAThreadWasOutsideOfIt) {
  Cluster cluster{ClusterOptions()};
  NodeThread home(cluster, 0), one(cluster, 1), stray(cluster, 0);
  one.write<int>(cluster.at(0, 0), 7);
  std::thread arrived([&] { one.engineBarrier(); });
  home.engineBarrier();
  arrived.join();
  one.release();
  EXPECT_EQ(cluster.messenger(0).counters(MessageKind::PutAck).messages.load(), 0u)
      << "acquires in nodes that have not left the barrier ask";
}

TEST(Engine, ABarrierHasASecondHalfOnlyIfSomebodyHasSentAPut) {
  Cluster cluster{ClusterOptions()};
  NodeThread home(cluster, 0), one(cluster, 1);
  const auto both = [&] {
    std::thread arrived([&] { one.engineBarrier(); });
    home.engineBarrier();
    arrived.join();
    return cluster.messenger(0).counters(MessageKind::BarrierDone).messages.load();
  };
  EXPECT_EQ(both(), 0u);
  one.read<int>(cluster.at(0, 0));
  home.write<int>(cluster.at(0, 0), 6);
  EXPECT_EQ(both(), 0u) << "what a home writes is told before it arrives";
  EXPECT_EQ(one.read<int>(cluster.at(0, 0)), 6);
  one.write<int>(cluster.at(0, 0), 7);
  EXPECT_EQ(both(), 1u);
  EXPECT_EQ(home.read<int>(cluster.at(0, 0)), 7);
  EXPECT_EQ(both(), 1u);
  one.write<int>(cluster.at(0, 0), 8);
  one.release();
  EXPECT_EQ(both(), 2u) << "its home may move, as the home of what is changed at a barrier";
}

TEST(Engine, AReleaseTowardsANodeWaitsForTheOthers) {
  Trio trio;
  trio.one.read<int>(trio.at(0));
  trio.two.read<int>(trio.at(0));
  trio.home.write<int>(trio.at(0), 7);
  trio.home.releaseTo(1);
  const auto confirmed = [&](NodeId node) {
    return trio.cluster.messenger(node).counters(MessageKind::InvalidateAck).messages.load();
  };
  EXPECT_EQ(confirmed(2), 1u);
  EXPECT_EQ(trio.cluster.stateAt(2, trio.at(0)), BlockState::Invalid);
  EXPECT_EQ(confirmed(1), 0u) << "a message follows";
  trio.home.release();
  EXPECT_EQ(confirmed(1), 1u);
  EXPECT_EQ(trio.one.read<int>(trio.at(0)), 7);
}

TEST(Engine, ABarrierOfManyNodesCostsTwoMessagesForEachEdgeOfATree) {
  constexpr unsigned kNodes = 11, kRounds = 5;
  ClusterOptions options;
  options.nodes = kNodes;
  options.areas.clear();
  for (unsigned n = 0; n < kNodes; ++n)
    options.areas.push_back({n * 4096, 4096, NodeId(n), 8});
  Cluster cluster(options);
  runThreads(cluster, "a ring", [&](NodeThread &thread, unsigned n) {
    for (unsigned round = 0; round < kRounds; ++round) {
      thread.write<unsigned>(cluster.at(n, 0), 100 * round + n);
      thread.barrier();
      const unsigned next = (n + 1) % kNodes;
      EXPECT_EQ(thread.read<unsigned>(cluster.at(next, 0)), 100 * round + next);
      thread.barrier();
    }
  });
  std::uint64_t messages = 0, done = 0;
  for (unsigned n = 0; n < kNodes; ++n) {
    const auto count = [&](MessageKind kind) {
      return cluster.messenger(NodeId(n)).counters(kind).messages.load();
    };
    messages += count(MessageKind::BarrierArrive) + count(MessageKind::BarrierGo);
    done += count(MessageKind::BarrierDone);
  }
  EXPECT_EQ(messages, 2 * kRounds * 2 * (kNodes - 1));
  EXPECT_EQ(done, 0u) << "nobody has sent a Put";
}

TEST(Engine, AnAcquireInABarrierWaitsForWhatOthersMayHaveMadeStale) {
  Cluster cluster{ClusterOptions()};
  NodeThread home(cluster, 0), one(cluster, 1), stray(cluster, 1);
  const auto answers = [&] {
    return cluster.messenger(0).counters(MessageKind::PutAck).messages.load();
  };
  stray.goOffline();
  std::thread arrived([&] { one.engineBarrier(); });
  while (!cluster.engine(1).isInBarrier()) // Then node 1 has promised to ask nothing.
    std::this_thread::yield();
  stray.goOnline();
  EXPECT_EQ(answers(), 1u);
  stray.syncPoint();
  EXPECT_EQ(answers(), 2u);
  home.engineBarrier();
  arrived.join();
  stray.syncPoint();
  EXPECT_EQ(answers(), 2u) << "what the barrier has made stale is known";
}

TEST(Engine, AtomicsOfAllNodesAddUp) {
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

TEST(Engine, AnAtomicSeesWhatItsThreadStoredBefore) {
  Trio trio;
  trio.one.write<std::uint64_t>(trio.at(16), 5);
  EXPECT_EQ(trio.one.atomicAdd(trio.at(16), 1), 5u);
  EXPECT_EQ(trio.one.read<std::uint64_t>(trio.at(16)), 6u);
}

TEST(Engine, AnAtomicDoesNotEndThePermissionsOfItsThread) {
  Trio trio;
  trio.one.write<std::uint64_t>(trio.at(0), 1);
  trio.one.atomicAdd(trio.at(16), 1);
  trio.one.poke<std::uint64_t>(trio.at(0), 2); // still under the first check
  trio.one.release();
  trio.home.syncPoint();
  EXPECT_EQ(trio.home.read<std::uint64_t>(trio.at(0)), 2u);
}

TEST(Engine, AnAtomicWritesNoMoreThanItsBytesOfTheOldValue) {
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

TEST(Engine, ALateStoreUnderAnOldPermissionIsReleased) {
  Trio trio;
  NodeThread other(trio.cluster, 1);
  trio.one.write<int>(trio.at(0), 1);
  other.write<int>(trio.at(4), 2);
  other.release(); // takes W from the block while trio.one holds it
  EXPECT_EQ(trio.cluster.stateAt(1, trio.at(0)), BlockState::Closing);
  trio.one.poke<int>(trio.at(0), 3);
  trio.one.release();
  trio.home.syncPoint();
  EXPECT_EQ(trio.home.read<int>(trio.at(0)), 3);
  EXPECT_EQ(trio.home.read<int>(trio.at(4)), 2);
}

TEST(Engine, AHomeThatServedADirtyBlockTellsTheReaderWhenItsBytesAreBack) {
  Trio trio;
  EXPECT_EQ(trio.two.read<int>(trio.at(0)), 0); // tracked from now on, twin 0
  trio.home.write<int>(trio.at(0), 1);
  EXPECT_EQ(trio.one.read<int>(trio.at(64 * 2)), 0); // served while dirty: has 1
  trio.home.poke<int>(trio.at(0), 0);                // back at the twin's value
  trio.home.release();
  trio.one.syncPoint();
  EXPECT_EQ(trio.one.read<int>(trio.at(0)), 0);
}

ClusterOptions untracked() {
  ClusterOptions options = Trio::threeNodes();
  options.areas[0].untracked = true;
  return options;
}

TEST(Engine, AHomeWithUntrackedBytesTellsItsReadersOfEveryInterval) {
  Trio trio(untracked());
  EXPECT_EQ(trio.one.read<int>(trio.at(0)), 0);
  trio.home.release(); // the block is Shared now
  ASSERT_EQ(trio.cluster.stateAt(0, trio.at(0)), BlockState::Shared);
  trio.home.poke<int>(trio.at(0), 9); // by code that is not instrumented
  trio.home.write<int>(trio.at(0), 9);
  trio.home.release();
  trio.one.syncPoint();
  EXPECT_EQ(trio.one.read<int>(trio.at(0)), 9);
}

TEST(Engine, CopiesOfForeignBytesEndWithTheInterval) {
  ClusterOptions options = untracked();
  options.areas[0].foreign = true;
  for (int way = 0; way < 4; ++way) {
    Trio trio(options);
    EXPECT_EQ(trio.one.read<int>(trio.at(0)), 0);
    trio.one.write<int>(trio.at(64), 1); // And a block that is open for writing.
    trio.home.poke<int>(trio.at(0), 9);  // by a library, for the program to read
    trio.home.poke<int>(trio.at(256), 8);
    trio.home.release();
    switch (way) {
    case 0:
      trio.one.syncPoint();
      break;
    case 1:
      trio.one.release();
      trio.one.syncPoint();
      break;
    case 2:
      trio.barrier();
      break;
    case 3:
      trio.one.goOffline();
      trio.one.goOnline();
      break;
    }
    EXPECT_EQ(trio.one.read<int>(trio.at(0)), 9) << way;
    EXPECT_EQ(trio.one.read<int>(trio.at(256)), 8) << way;
    EXPECT_EQ(trio.one.read<int>(trio.at(64)), 1) << way;
  }
}

TEST(Engine, CopiesOfForeignBytesThatAnotherThreadTookDuringABarrierEndWithIt) {
  ClusterOptions options = untracked();
  options.areas[0].foreign = true;
  options.nodes = 2;
  Cluster cluster(options);
  NodeThread home(cluster, 0), one(cluster, 1), stray(cluster, 1);
  std::thread arrived([&] { one.engineBarrier(); });
  while (!cluster.engine(1).isInBarrier()) // Then node 1 has flushed.
    std::this_thread::yield();
  stray.write<int>(cluster.at(0, 64), 1);
  home.release();                      // the block is Shared now
  home.poke<int>(cluster.at(0, 0), 9); // by a library, before its node arrives
  home.engineBarrier();
  arrived.join();
  EXPECT_EQ(one.read<int>(cluster.at(0, 0)), 9);
  EXPECT_EQ(one.read<int>(cluster.at(0, 64)), 1);
}

TEST(Engine, AnAtomicOfAHomeWithUntrackedBytesTellsItsReadersToo) {
  Trio trio(untracked());
  EXPECT_EQ(trio.one.read<int>(trio.at(0)), 0);
  trio.home.release();
  trio.home.poke<int>(trio.at(0), 9); // by code that is not instrumented
  trio.home.atomicStore(trio.at(64), 0);
  trio.home.write<int>(trio.at(0), 9);
  trio.home.release();
  trio.one.syncPoint();
  EXPECT_EQ(trio.one.read<int>(trio.at(0)), 9);
}

TEST(Engine, AStoreOfTheValueInAnOldCopyOverUntrackedBytesReachesTheHome) {
  Trio trio(untracked());
  EXPECT_EQ(trio.one.read<int>(trio.at(0)), 0);
  trio.home.poke<int>(trio.at(0), 9); // by code that is not instrumented, as a spill slot
  trio.home.release();
  trio.one.syncPoint();
  trio.one.write<int>(trio.at(0), 0); // the slot is a variable now, and this its first value
  trio.one.release();
  trio.home.syncPoint();
  EXPECT_EQ(trio.home.read<int>(trio.at(0)), 0);
}

TEST(Engine, AStoreOfWhatUntrackedBytesHoldAtTheHomeReachesOtherCopies) {
  Trio trio(untracked());
  EXPECT_EQ(trio.two.read<int>(trio.at(0)), 0);
  trio.home.release();                // the block is Shared now
  trio.home.poke<int>(trio.at(0), 9); // by code that is not instrumented, as a spill slot
  trio.home.release();
  trio.one.syncPoint();
  trio.one.write<int>(trio.at(0), 9); // the slot is a variable now, and this its first value
  trio.one.release();
  trio.two.syncPoint();
  EXPECT_EQ(trio.two.read<int>(trio.at(0)), 9);
}

TEST(Engine, AStoreOverUntrackedBytesReachesTheHomeFromABlockWrittenBefore) {
  Trio trio(untracked());
  trio.one.write<int>(trio.at(64), 1); // opens the block
  trio.home.release();                 // the home's block is Shared
  trio.home.poke<int>(trio.at(0), 9);  // by code that is not instrumented, as a spill slot
  trio.home.release();
  trio.one.syncPoint();
  trio.one.write<int>(trio.at(0), 0); // the slot is a variable now, and this its first value
  trio.one.release();
  trio.home.syncPoint();
  EXPECT_EQ(trio.home.read<int>(trio.at(0)), 0);
}

TEST(Engine, ASequentialReaderFetchesAheadInFewRequests) {
  ClusterOptions options = Trio::threeNodes();
  options.areas = {{0, 16 * 4096, 0, 8, false}};
  Trio trio(options);
  for (std::size_t at = 0; at < 16 * 4096; at += 4)
    trio.home.write<int>(trio.at(at), int(at));
  for (std::size_t at = 0; at < 16 * 4096; at += 4)
    ASSERT_EQ(trio.one.read<int>(trio.at(at)), int(at));
  const EngineStatistics &seen = trio.cluster.statistics(1);
  EXPECT_EQ(seen.blocksFetched.load(), 256u);
  EXPECT_LT(seen.readMisses.load(), 16u);
}

TEST(Engine, ARangeIsFetchedInOneMiss) {
  Trio trio;
  trio.one.check(trio.at(100), 3000, Access::Write);
  EXPECT_EQ(trio.cluster.statistics(1).writeMisses.load(), 1u);
  for (std::size_t at = 100; at < 3100; ++at)
    EXPECT_EQ(trio.cluster.stateAt(1, trio.at(at)), BlockState::Dirty);
}

TEST(Engine, PrivateMemoryPassesAtOnce) {
  Trio trio;
  trio.cluster.engine(1).ensure(trio.cluster.base() + (std::size_t(1) << 40), std::size_t(1) << 38,
                                Access::Write);
  EXPECT_EQ(trio.cluster.statistics(1).writeMisses.load(), 0u);
}

/// Block sizes, each with areas that begin and end inside of a block.
class EngineBlockSize : public testing::TestWithParam<int> {};
TEST_P(EngineBlockSize, BlocksCutOffByTheirAreaWorkLikeOthers) {
  ClusterOptions options;
  options.nodes = 3;
  std::uint8_t shift = static_cast<std::uint8_t>(GetParam());
  // The first area begins a page into a 64 KiB block and ends with a line; the next begins a page
  // on.
  options.areas = {{4096, 2 * 65536 + 4096 + 64, 0, shift, false},
                   {4 * 65536, 65536 + 4096, 1, shift, true}};
  Trio trio(options);
  for (std::size_t area = 0; area < 2; ++area)
    for (int round = 1; round < 3; ++round) {
      std::size_t bytes = options.areas[area].bytes;
      NodeThread *threads[] = {&trio.home, &trio.one, &trio.two};
      for (std::size_t at = 0; at < bytes; at += 8)
        threads[(at / 8 + std::size_t(round)) % 3]->write<std::size_t>(trio.cluster.at(area, at),
                                                                       at * std::size_t(round));
      trio.barrier();
      for (NodeThread *thread : threads)
        for (std::size_t at = 0; at < bytes; at += 8)
          ASSERT_EQ(thread->read<std::size_t>(trio.cluster.at(area, at)), at * std::size_t(round))
              << trio.cluster.describe(trio.cluster.at(area, at));
      trio.barrier();
    }
}
INSTANTIATE_TEST_SUITE_P(Shift, EngineBlockSize, testing::Values(6, 7, 8, 10, 12, 13, 16));

} // namespace
} // namespace ompdsm::test
