// PushTest.cpp: changes are sent unasked to who reads all of them, and not for long to who does
// not.
#include "protocol/engine/PushPrediction.h"
#include "protocol/engine/Wire.h"
#include "test/unit/Duo.h"
#include "test/unit/Trio.h"
#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace ompdsm::test {
namespace {

/// The home writes in `phases` phases with a barrier behind each; node 1 reads after the last one.
void run(Duo &duo, int phases, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    int value = 0;
    for (int phase = 0; phase < phases; ++phase) {
      value = duo.home.read<int>(duo.at(0)) + 1;
      duo.home.write<int>(duo.at(0), value);
      duo.barrier();
    }
    EXPECT_EQ(duo.one.read<int>(duo.at(0)), value);
    duo.barrier();
  }
}

struct Traffic {
  explicit Traffic(Duo &duo)
      : fetched(duo.cluster.statistics(1).blocksFetched),
        pushed(duo.cluster.statistics(0).blocksPushed),
        unread(duo.cluster.statistics(1).pushesUnread) {}
  std::uint64_t fetched, pushed, unread;
};

TEST(Push, WhatIsReadAfterOneOrTwoPhasesIsFetchedOnce) {
  for (const int phases : {1, 2}) {
    Duo duo;
    run(duo, phases, 100);
    const Traffic traffic(duo);
    EXPECT_EQ(traffic.fetched, 1u);
    EXPECT_GT(traffic.pushed, 97u);
    EXPECT_EQ(traffic.unread, 0u);
  }
}

TEST(Push, WhatIsReadIsFetchedTwiceWithoutTheFirstPush) {
  ClusterOptions options;
  options.pushFirst = false;
  Duo duo(options);
  run(duo, /*phases=*/1, 100);
  EXPECT_EQ(Traffic(duo).fetched, 2u);
}

/// Node 1 reads `blocks` blocks once, one in each `distance` bytes, which the home then changes in
/// each of `rounds` intervals.
Traffic changeWhatWasReadOnce(std::size_t blocks, int rounds, std::size_t distance = 256) {
  ClusterOptions options;
  options.areas = {{0, blocks * distance, 0, 8}};
  Duo duo(options);
  for (std::size_t block = 0; block < blocks; ++block)
    duo.one.read<int>(duo.at(block * distance));
  for (int round = 1; round <= rounds; ++round) {
    for (std::size_t block = 0; block < blocks; ++block)
      duo.home.write<int>(duo.at(block * distance), round);
    duo.barrier();
  }
  return Traffic(duo);
}

TEST(Push, WhatIsReadOnceIsNotSentForLong) {
  constexpr std::uint64_t kMany = 4096, kFew = 512;
  const Traffic traffic = changeWhatWasReadOnce(kMany, 200);
  EXPECT_EQ(traffic.unread, kMany) << "all is given up";
  EXPECT_LE(traffic.pushed, 3 * (kMany - kFew) + 40 * kFew) << "most of it soon";
  EXPECT_LT(changeWhatWasReadOnce(1, 200).pushed, 100u);
}

TEST(PushPrediction, NobodyIsExpectedFirstIfWhoDisappointsCannotBeRemembered) {
  constexpr unsigned kShift = 8, kNodes = 17, kSets = 1u << kNodes; // more than have a number
  constexpr Address kBlock = 1u << kShift;
  PushPrediction prediction(/*expectsFirst=*/true);
  EXPECT_TRUE(prediction.expects(kBlock, kShift, 1, /*atBarrier=*/true));
  for (unsigned set = 1; set < kSets; ++set)
    for (unsigned node = 0; node < kNodes; ++node)
      if (set >> node & 1)
        prediction.forget(set * kBlock, kShift, NodeId(node));
  for (unsigned set = 1; set < kSets; ++set)
    for (unsigned node = 0; node < kNodes; ++node)
      if (set >> node & 1) {
        ASSERT_FALSE(prediction.expects(set * kBlock, kShift, NodeId(node), true)) << set;
      }
}

TEST(Push, MoreThanAMessageHasRoomForIsGivenUpTogether) {
  constexpr std::uint64_t kRuns = 8192;
  static_assert(kRuns * kWireRunBytes > Messenger::kMaxBodyBytes);
  EXPECT_EQ(changeWhatWasReadOnce(kRuns, 40, /*distance=*/512).unread, kRuns);
}

TEST(Push, WhatIsGivenUpUnreadIsSoInTheSameBarrierOnAllNodes) {
  Trio trio;
  EXPECT_EQ(trio.one.read<int>(trio.at(0)), 0);
  EXPECT_EQ(trio.two.read<int>(trio.at(0)), 0);
  const auto isGivenUp = [&](NodeId node) {
    return trio.cluster.statistics(node).pushesUnread.load() != 0;
  };
  for (int round = 1; round <= 100; ++round) {
    trio.home.write<int>(trio.at(0), round);
    trio.barrier();
    EXPECT_EQ(isGivenUp(1), isGivenUp(2)) << "else each makes a barrier longer";
  }
  EXPECT_TRUE(isGivenUp(1));
}

TEST(Push, UntrackedBytesAreNotPushedToWhoHasFetchedOnce) {
  ClusterOptions options;
  options.areas = {{0, 4096, 0, 8, false, /*untracked=*/true}};
  Duo duo(options);
  EXPECT_EQ(duo.one.read<int>(duo.at(0)), 0);
  duo.home.write<int>(duo.at(0), 1);
  duo.barrier();
  EXPECT_EQ(Traffic(duo).pushed, 0u) << "of a stack, say, which changes in each interval";
  EXPECT_EQ(duo.one.read<int>(duo.at(0)), 1);
}

TEST(Push, AReleaseIsNotPushedToWhoHasFetchedOnce) {
  Duo duo;
  EXPECT_EQ(duo.one.read<int>(duo.at(0)), 0);
  duo.home.write<int>(duo.at(0), 1);
  duo.home.release();
  EXPECT_EQ(Traffic(duo).pushed, 0u);
  duo.one.syncPoint();
  EXPECT_EQ(duo.one.read<int>(duo.at(0)), 1);
}

TEST(Push, WhatIsReadAfterManyPhasesIsFetched) {
  constexpr std::uint64_t kRounds = 400;
  Duo duo;
  run(duo, /*phases=*/4, kRounds);
  const Traffic traffic(duo);
  EXPECT_GT(traffic.fetched, kRounds * 3 / 4);
  EXPECT_LT(traffic.pushed, kRounds / 2) << "of four in a round";
}

TEST(Push, WhoReadsEverythingAgainIsSentItAgain) {
  Duo duo;
  run(duo, /*phases=*/4, 100);
  const Traffic before(duo);
  run(duo, /*phases=*/1, 400);
  const Traffic after(duo);
  EXPECT_GT(after.pushed - before.pushed, 200u);
  EXPECT_LE(after.unread - before.unread, 1u);
}

TEST(Push, WhatManyNodesWriteIsSentToAllOfThemAgainAndAgain) {
  constexpr unsigned kNodes = 5;
  constexpr int kRounds = 300;
  ClusterOptions options;
  options.nodes = kNodes;
  Cluster cluster(options);
  const auto at = [&](unsigned node) { return cluster.at(0, 8 * node); };
  const auto runNode = [&](unsigned node) {
    NodeThread thread(cluster, NodeId(node));
    for (int round = 1; round <= kRounds; ++round) {
      thread.write<int>(at(node), round);
      thread.engineBarrier();
      for (unsigned other = 0; other < kNodes; ++other)
        EXPECT_EQ(thread.read<int>(at(other)), round);
      thread.engineBarrier();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned node = 0; node < kNodes; ++node)
      threads.emplace_back(runNode, node);
  }
  for (unsigned node = 1; node < kNodes; ++node) {
    EXPECT_EQ(cluster.statistics(NodeId(node)).pushesUnread, 0U) << "updates of one barrier";
    EXPECT_LE(cluster.statistics(NodeId(node)).blocksFetched, 4U);
  }
  EXPECT_LT(cluster.sent(0, MessageKind::Update), 4 * kRounds * (kNodes - 1))
      << "what is put before the home arrives, and after that, leaves together; else 16 in a round";
}

/// Nodes 1, the home, and 2 write in each round; node 0 reads what they wrote in the one before,
/// in every other round after what they write next has come: each message leaves at once.
TEST(Push, WhatIsReadAfterTheNextUpdatesHaveComeIsSentAgainAndAgain) {
  constexpr int kRounds = 300;
  ClusterOptions options = Trio::threeNodes();
  options.areas = {{0, 4096, 1, 8}};
  options.joinMessages = false;
  Trio trio(options);
  const auto at = [&](int round, unsigned node) {
    return trio.at(std::size_t(round % 2) * 64 + node * 8);
  };
  const auto hasCome = [&](int round, unsigned node) {
    auto *const place = reinterpret_cast<int *>(trio.cluster.memory(0, at(round, node)));
    return std::atomic_ref(*place).load() == round;
  };
  const auto isSent = [&] { return trio.cluster.statistics(0).blocksFetched == 2; };
  for (int round = 1; round <= kRounds; ++round) {
    const auto read = [&] {
      for (const unsigned node : {1U, 2U})
        EXPECT_EQ(trio.home.read<int>(at(round - 1, node)), round - 1);
    };
    if (round % 2)
      read();
    trio.one.write<int>(at(round, 1), round);
    trio.two.write<int>(at(round, 2), round);
    std::jthread one([&] { trio.one.engineBarrier(); }), two([&] { trio.two.engineBarrier(); });
    if (round % 2 == 0) {
      while (isSent() && !(hasCome(round, 1) && hasCome(round, 2)))
        std::this_thread::yield();
      read();
    }
    trio.home.engineBarrier();
  }
  EXPECT_EQ(trio.cluster.statistics(0).pushesUnread, 0U);
  EXPECT_EQ(trio.cluster.statistics(0).blocksFetched, 2U);
}

/// The home writes `times` times under a lock, which goes to node 1 then, and back.
void runUnderLock(Duo &duo, int times, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    int value = 0;
    for (int time = 0; time < times; ++time) {
      value = duo.home.read<int>(duo.at(0)) + 1;
      duo.home.write<int>(duo.at(0), value);
      duo.home.release();
    }
    duo.one.syncPoint();
    EXPECT_EQ(duo.one.read<int>(duo.at(0)), value);
    duo.one.syncPoint();
  }
}

TEST(Push, WhatIsWrittenSomeTimesUnderALockIsStillSent) {
  constexpr std::uint64_t kRounds = 400;
  Duo duo;
  runUnderLock(duo, /*times=*/3, kRounds);
  EXPECT_LT(Traffic(duo).fetched, kRounds / 2);
}

TEST(Push, WhatIsWrittenOftenUnderALockIsNot) {
  constexpr std::uint64_t kRounds = 100;
  Duo duo;
  runUnderLock(duo, /*times=*/64, kRounds);
  EXPECT_GT(Traffic(duo).fetched, kRounds / 2);
  EXPECT_LT(Traffic(duo).pushed, kRounds * 64 / 2);
}

/// The home writes a block once in so many intervals, which node 1 reads behind each. How often the
/// block stayed open when its changes were pushed.
int timesLeftOpen(Duo &duo, int intervals, int rounds) {
  int count = 0;
  for (int round = 0; round < rounds; ++round)
    for (int interval = 0; interval < intervals; ++interval) {
      if (interval == 0)
        duo.home.write<int>(duo.at(0), duo.home.read<int>(duo.at(0)) + 1);
      duo.barrier();
      count += interval == 0 && duo.cluster.stateAt(0, duo.at(0)) == BlockState::HomeDirty;
      (void)duo.one.read<int>(duo.at(0));
    }
  return count;
}

TEST(Push, WhatIsWrittenInEachIntervalStaysOpen) {
  Duo duo;
  EXPECT_GE(timesLeftOpen(duo, /*intervals=*/1, 100), 98) << "once it is fetched";
}

TEST(Push, WhatIsWrittenNowAndThenIsClosedAndOpenedAgain) {
  constexpr int kRounds = 400;
  Duo duo;
  const int count = timesLeftOpen(duo, /*intervals=*/2, kRounds);
  EXPECT_GT(count, 0) << "the first one, and one in some is tried";
  EXPECT_LT(count, kRounds / 10);
  EXPECT_EQ(duo.cluster.statistics(1).blocksFetched, 1u);
  EXPECT_GT(timesLeftOpen(duo, /*intervals=*/1, kRounds), kRounds / 2);
}

TEST(Push, NothingIsClosedIfItIsSwitchedOff) {
  ClusterOptions options;
  options.closePushed = false;
  Duo duo(options);
  EXPECT_GE(timesLeftOpen(duo, /*intervals=*/2, 50), 47);
}

/// A home that has sent changes with its arrival at a join, and is still in it, knows that who has
/// left it has them: it does not ask before it answers that node's Put.
TEST(Push, WhoHasLeftTheBarrierNeedNotConfirmWhatCameWithIt) {
  ClusterOptions options;
  options.areas = {{0, 4096, /*home=*/1, 8}};
  options.homePatience = 0;
  Duo duo(options);
  NodeThread &zero = duo.home;
  EXPECT_EQ(zero.read<int>(duo.at(0)), 0);
  EXPECT_EQ(zero.read<int>(duo.at(1024)), 0);
  constexpr int kRounds = 50;
  for (int round = 1; round <= kRounds; ++round) {
    duo.one.write<int>(duo.at(0), round);
    std::jthread other([&] { duo.one.engineJoin(); });
    zero.engineJoin();
    EXPECT_EQ(zero.read<int>(duo.at(0)), round);
    zero.write<int>(duo.at(1024), round);
    zero.release();
  }
  EXPECT_EQ(duo.one.read<int>(duo.at(1024)), kRounds);
  EXPECT_GT(duo.cluster.statistics(1).blocksPushed, std::uint64_t(kRounds / 2));
  EXPECT_EQ(duo.cluster.sent(0, MessageKind::InvalidateAck), 0u);
}

} // namespace
} // namespace ompdsm::test
