// EngineTest.cpp: what one activity of the engine does, on two or three nodes, step by step.
//
// One thread of the test plays all the threads of all nodes, in an order that it chooses, so that a
// failure has one cause. So it is in AtomicTest, BarrierTest and UntrackedBytesTest.
#include "test/unit/Duo.h"
#include "test/unit/Trio.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

TEST(Engine, AFetchBringsWhatTheHomeWrote) {
  Trio trio;
  trio.home.write<int>(trio.at(8), 41);
  EXPECT_EQ(trio.cluster.stateAt(0, trio.at(0)), BlockState::Exclusive);
  EXPECT_EQ(trio.cluster.stateAt(1, trio.at(0)), BlockState::Invalid);
  EXPECT_EQ(trio.one.read<int>(trio.at(8)), 41);
  EXPECT_EQ(trio.cluster.stateAt(1, trio.at(0)), BlockState::Clean);
  EXPECT_EQ(trio.cluster.stateAt(0, trio.at(0)), BlockState::HomeServed);
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
  Duo duo;
  NodeThread late(duo.cluster, 1);
  duo.home.write<int>(duo.at(8), 41);
  late.write<int>(duo.at(16), 7);
  duo.home.write<int>(duo.at(8), 0);
  duo.home.release();
  duo.one.syncPoint();
  EXPECT_EQ(duo.one.read<int>(duo.at(8)), 0);
  late.poke<int>(duo.at(20), 8);
  EXPECT_EQ(duo.one.peek<int>(duo.at(16)), 7);
  late.release();
  duo.home.syncPoint();
  EXPECT_EQ(duo.home.read<int>(duo.at(16)), 7);
  EXPECT_EQ(duo.home.read<int>(duo.at(20)), 8);
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

TEST(Engine, AReleaseTowardsANodeWaitsForTheOthers) {
  Trio trio;
  trio.one.read<int>(trio.at(0));
  trio.two.read<int>(trio.at(0));
  trio.home.write<int>(trio.at(0), 7);
  trio.home.releaseTo(1);
  const auto confirmed = [&](NodeId node) {
    return trio.cluster.sent(node, MessageKind::InvalidateAck);
  };
  EXPECT_EQ(confirmed(2), 1u);
  EXPECT_EQ(trio.cluster.stateAt(2, trio.at(0)), BlockState::Invalid);
  EXPECT_EQ(confirmed(1), 0u) << "a message follows";
  trio.home.release();
  EXPECT_EQ(confirmed(1), 1u);
  EXPECT_EQ(trio.one.read<int>(trio.at(0)), 7);
}

TEST(Engine, ABegunReleaseIsConfirmedWhenNobodyCanReadTheOldBytes) {
  std::atomic<unsigned> calls{0}; // outlives the threads that count
  Trio trio;
  trio.two.read<int>(trio.at(0));
  trio.cluster.engine(1).setConfirmationHandler([&] {
    ++calls;
    calls.notify_all();
  });
  trio.one.write<int>(trio.at(0), 7);
  trio.cluster.messenger(0).holdRequests(true); // the home gets nothing
  const PendingRelease begun = trio.one.beginRelease();
  EXPECT_FALSE(begun.isEmpty());
  EXPECT_FALSE(trio.cluster.engine(1).isConfirmed(begun));
  EXPECT_EQ(calls, 0u);
  trio.cluster.messenger(0).holdRequests(false);
  trio.one.release(); // covers all that is on its way
  EXPECT_TRUE(trio.cluster.engine(1).isConfirmed(begun));
  calls.wait(0); // by another thread, perhaps later than the release has seen it
  EXPECT_EQ(trio.cluster.stateAt(2, trio.at(0)), BlockState::Invalid);
  trio.two.syncPoint();
  EXPECT_EQ(trio.two.read<int>(trio.at(0)), 7);
  EXPECT_TRUE(trio.one.beginRelease().isEmpty());
  EXPECT_TRUE(trio.cluster.engine(1).isConfirmed({}));
}

TEST(Engine, WhatIsHandedOverIsConfirmedByOthersAndAwaitedByTheReceiver) {
  Trio trio;
  const Engine &giver = trio.cluster.engine(1);
  trio.one.write<int>(trio.at(0), 7);
  trio.cluster.messenger(0).holdRequests(true); // the home gets nothing
  const PendingRelease begun = trio.one.beginRelease();
  EXPECT_TRUE(giver.isConfirmed(begun, /*receiver=*/NodeId(0)));
  EXPECT_FALSE(giver.isConfirmed(begun, /*receiver=*/NodeId(2)));
  EXPECT_FALSE(trio.cluster.engine(0).hasProcessed(1, begun.handoverTo(0)));
  EXPECT_TRUE(trio.cluster.engine(2).hasProcessed(1, begun.handoverTo(2)));
  trio.cluster.messenger(0).holdRequests(false);
  trio.one.release(); // covers all that is on its way
  EXPECT_TRUE(trio.cluster.engine(0).hasProcessed(1, begun.handoverTo(0)));
  EXPECT_EQ(trio.home.read<int>(trio.at(0)), 7);
}

TEST(Engine, NobodyAnswersABegunReleaseBeforeItIsAskedFor) {
  Trio trio;
  Engine &giver = trio.cluster.engine(1);
  trio.two.read<int>(trio.at(0));
  trio.one.write<int>(trio.at(0), 7);
  PendingRelease begun = trio.one.beginRelease();
  trio.cluster.messenger(1).flush();
  while (!trio.cluster.engine(0).hasProcessed(1, begun.handoverTo(0)))
    std::this_thread::yield();
  EXPECT_EQ(trio.cluster.sent(0, MessageKind::PutAck), 0u);
  EXPECT_FALSE(giver.isConfirmed(begun));
  giver.askFor(begun, /*receiver=*/NodeId(0));
  trio.cluster.messenger(1).flush();
  EXPECT_TRUE(giver.isConfirmed(begun, /*receiver=*/NodeId(0))) << "there is nobody else to ask";
  EXPECT_EQ(trio.cluster.sent(1, MessageKind::Put), 1u);
  giver.askFor(begun);
  trio.cluster.messenger(1).flush();
  while (!giver.isConfirmed(begun))
    std::this_thread::yield();
  EXPECT_EQ(trio.cluster.sent(0, MessageKind::PutAck), 1u);
  EXPECT_EQ(trio.cluster.stateAt(2, trio.at(0)), BlockState::Invalid);
}

TEST(Engine, WhatIsReleasedWithoutWaitingLeavesTogether) {
  Duo duo;
  const PacketCounters &sent = duo.cluster.messenger(1).packets();
  for (std::size_t at = 0; at < 4; ++at)
    duo.one.write<int>(duo.at(at * 512), 1);
  duo.one.release();
  const std::uint64_t before = sent.packets;
  PendingRelease begun;
  for (std::size_t at = 0; at < 4; ++at) {
    duo.one.write<int>(duo.at(at * 512), 2); // which needs nothing of the home
    begun = duo.one.beginRelease();
  }
  EXPECT_EQ(sent.packets, before);
  duo.cluster.engine(1).askFor(begun, /*receiver=*/NodeId(0));
  duo.cluster.messenger(1).flush();
  EXPECT_EQ(sent.packets, before + 1);
  while (!duo.cluster.engine(0).hasProcessed(1, begun.handoverTo(0)))
    std::this_thread::yield();
  for (std::size_t at = 0; at < 4; ++at)
    EXPECT_EQ(duo.home.read<int>(duo.at(at * 512)), 2);
}

TEST(Engine, WhatWasReleasedWithoutWaitingIsThereWhenTheNodeIsAsked) {
  Duo duo;
  duo.one.write<int>(duo.at(0), 7);
  (void)duo.one.beginRelease();
  duo.cluster.engine(0).setFollowing(true); // others may know already
  duo.home.syncPoint();
  EXPECT_EQ(duo.home.read<int>(duo.at(0)), 7);
}

TEST(Engine, ABarrierAnswersForABegunRelease) {
  Duo duo;
  duo.one.write<int>(duo.at(0), 7);
  PendingRelease begun = duo.one.beginRelease();
  duo.barrier();
  Engine &giver = duo.cluster.engine(1);
  giver.askFor(begun);
  EXPECT_TRUE(giver.isConfirmed(begun));
  EXPECT_EQ(duo.cluster.sent(0, MessageKind::PutAck), 0u);
}

TEST(Engine, InvalidationsAreHandedOverToo) {
  Trio trio;
  trio.one.read<int>(trio.at(0));
  trio.two.read<int>(trio.at(0));
  trio.home.write<int>(trio.at(0), 7);
  const PendingRelease begun = trio.home.beginRelease();
  const Handover<std::uint64_t> handover = begun.handoverTo(1);
  EXPECT_GT(handover.invalidates, 0u);
  EXPECT_EQ(handover.puts, 0u);
  trio.home.release();
  EXPECT_TRUE(trio.cluster.engine(1).hasProcessed(0, handover));
  EXPECT_EQ(trio.cluster.stateAt(1, trio.at(0)), BlockState::Invalid);
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
