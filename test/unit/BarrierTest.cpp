// BarrierTest.cpp: what a barrier makes visible, which messages it takes, and what threads outside
// of it may rely on while it goes on.
#include "test/unit/Duo.h"
#include "test/unit/Trio.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

TEST(Barrier, ABarrierReleasesAndAcquiresOnAllNodes) {
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

TEST(Barrier, AReleaseBesideABarrierWaitsForWhatTheBarrierHasSent) {
  Duo duo;
  NodeThread stray(duo.cluster, 1);
  stray.write<int>(duo.at(0), 7);
  duo.oneArrives();
  stray.release();
  EXPECT_EQ(duo.cluster.sent(0, MessageKind::PutAck), 1u);
  EXPECT_EQ(duo.home.read<int>(duo.at(0)), 7);
  duo.homeFollows();
  stray.goOffline();
  duo.one.write<int>(duo.at(64), 1);
  duo.barrier();
  duo.one.release();
  EXPECT_EQ(duo.cluster.sent(0, MessageKind::PutAck), 1u) << "the barrier was an answer";
}

TEST(Barrier, ABarrierAnswersThoughAThreadWasOutsideOfIt) {
  Duo duo;
  NodeThread stray(duo.cluster, 0);
  duo.one.write<int>(duo.at(0), 7);
  duo.barrier();
  duo.one.release();
  EXPECT_EQ(duo.cluster.sent(0, MessageKind::PutAck), 0u)
      << "acquires in nodes that have not left the barrier ask";
}

TEST(Barrier, ABarrierHasASecondHalfOnlyIfSomebodyHasSentAPut) {
  ClusterOptions options;
  options.soleSharers = false; // else not for Puts of blocks that no third node shares
  Duo duo(options);
  const auto both = [&] {
    duo.barrier();
    return duo.cluster.sent(0, MessageKind::BarrierDone);
  };
  EXPECT_EQ(both(), 0u);
  duo.one.read<int>(duo.at(0));
  duo.home.write<int>(duo.at(0), 6);
  EXPECT_EQ(both(), 0u) << "what a home writes is told before it arrives";
  EXPECT_EQ(duo.one.read<int>(duo.at(0)), 6);
  duo.one.write<int>(duo.at(0), 7);
  EXPECT_EQ(both(), 1u);
  EXPECT_EQ(duo.home.read<int>(duo.at(0)), 7);
  EXPECT_EQ(both(), 1u);
  duo.one.write<int>(duo.at(0), 8);
  duo.one.release();
  EXPECT_EQ(both(), 2u) << "its home may move, as the home of what is changed at a barrier";
}

TEST(Barrier, ABarrierHasASecondHalfAlwaysWhereThatIsChosen) {
  ClusterOptions options;
  options.shortBarriers = false;
  Duo duo(options);
  for (std::uint64_t round = 1; round < 4; ++round) {
    duo.barrier();
    EXPECT_EQ(duo.cluster.sent(0, MessageKind::BarrierDone), round);
    EXPECT_EQ(duo.cluster.sent(1, MessageKind::BarrierDone), round);
  }
}

TEST(Barrier, ABarrierOfManyNodesCostsTwoMessagesForEachEdgeOfATree) {
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
  for (NodeId n = 0; n < kNodes; ++n) {
    messages +=
        cluster.sent(n, MessageKind::BarrierArrive) + cluster.sent(n, MessageKind::BarrierGo);
    done += cluster.sent(n, MessageKind::BarrierDone);
  }
  EXPECT_EQ(messages, 2 * kRounds * 2 * (kNodes - 1));
  EXPECT_EQ(done, 0u) << "nobody has sent a Put";
}

TEST(Barrier, ASecondHalfOfManyNodesCostsAsMuchAsTheFirst) {
  constexpr unsigned kNodes = 11, kRounds = 5;
  ClusterOptions options;
  options.nodes = kNodes;
  options.shortBarriers = false;
  Cluster cluster(options);
  runThreads(cluster, "barriers", [&](NodeThread &thread, unsigned) {
    for (unsigned round = 0; round < kRounds; ++round)
      thread.barrier();
  });
  std::uint64_t arrive = 0, done = 0, go = 0;
  for (NodeId n = 0; n < kNodes; ++n) {
    arrive += cluster.sent(n, MessageKind::BarrierArrive);
    done += cluster.sent(n, MessageKind::BarrierDone);
    go += cluster.sent(n, MessageKind::BarrierGo);
  }
  EXPECT_EQ(arrive, kRounds * (kNodes - 1));
  EXPECT_EQ(done, kRounds * (kNodes - 1));
  EXPECT_EQ(go, 2 * kRounds * (kNodes - 1));
}

TEST(Barrier, AnAcquireInABarrierWaitsForWhatOthersMayHaveMadeStale) {
  Duo duo;
  NodeThread stray(duo.cluster, 1);
  const auto answers = [&] { return duo.cluster.sent(0, MessageKind::PutAck); };
  stray.goOffline();
  duo.oneArrives();
  stray.goOnline();
  EXPECT_EQ(answers(), 1u);
  stray.syncPoint();
  EXPECT_EQ(answers(), 2u);
  duo.homeFollows();
  stray.syncPoint();
  EXPECT_EQ(answers(), 2u) << "what the barrier has made stale is known";
}

} // namespace
} // namespace ompdsm::test
