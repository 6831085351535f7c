// MulticastTest.cpp: what several nodes get alike goes by way of some of them, and arrives in its
// place among what came straight.
#include "protocol/core/Multicast.h"
#include "fabric/Fault.h"
#include "fabric/Loopback.h"
#include "protocol/engine/Packet.h"
#include "test/unit/Cluster.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace ompdsm::test {
namespace {

/// How many messages the one who has it sends, and whether all of `count` others get it once.
std::size_t sendsOfRoot(std::size_t count) {
  std::vector<std::size_t> receivers(count), got(count);
  for (std::size_t i = 0; i < count; ++i)
    receivers[i] = i;
  const auto visit = [&](auto &self, std::span<const std::size_t> part) -> std::size_t {
    std::size_t sends = 0;
    forEachPart(part, [&](std::span<const std::size_t> child) {
      ++sends;
      ++got[child.front()];
      self(self, child.subspan(1));
    });
    return sends;
  };
  const std::size_t sends = visit(visit, receivers);
  EXPECT_TRUE(std::all_of(got.begin(), got.end(), [](std::size_t times) { return times == 1; }));
  return sends;
}

TEST(Multicast, AllGetItOnceByABinomialTree) {
  EXPECT_EQ(sendsOfRoot(0), 0u);
  for (std::size_t count = 1; count < 300; ++count)
    EXPECT_EQ(sendsOfRoot(count), std::size_t(std::bit_width(count))) << count;
}

TEST(Multicast, FewReceiversOfLittleHearOfItStraight) {
  EXPECT_FALSE(isWorthATree(2, 65536));
  EXPECT_TRUE(isWorthATree(3, 65536));
  EXPECT_FALSE(isWorthATree(7, 64));
  EXPECT_TRUE(isWorthATree(31, 64));
}

/// Both ways are in order by themselves, or that of the others not even that; all is taken in the
/// order in which it was posted.
TEST(StreamOrder, IsThatOfPostingWhateverComesFirst) {
  struct Posted {
    bool isRelayed;
    std::uint32_t before;
    int number;
  };
  for (unsigned seed = 1; seed <= 300; ++seed) {
    std::mt19937 dice(seed);
    StreamCounts counts;
    StreamOrder<int> order;
    for (unsigned i = 0; i < 0xfff0; ++i) { // what is counted with 16 bits is going to wrap around
      (void)counts.onRelayed();
      order.onRelayed();
    }
    std::deque<Posted> straight;
    std::vector<Posted> relayed;
    for (int number = 0; number < 60; ++number) {
      const bool isRelayed = dice() % 2;
      const Posted posted{isRelayed, isRelayed ? counts.onRelayed() : counts.onStraight(), number};
      if (isRelayed)
        relayed.push_back(posted);
      else
        straight.push_back(posted);
    }
    std::shuffle(relayed.begin(), relayed.end(), dice);
    std::vector<int> taken;
    const auto take = [&](int number) { taken.push_back(number); };
    while (!straight.empty() || !relayed.empty()) {
      const bool isRelayed = straight.empty() || (!relayed.empty() && dice() % 2);
      if (isRelayed) {
        const Posted posted = relayed.back();
        relayed.pop_back();
        if (!order.isNextRelayed(posted.before)) {
          order.holdRelayed(posted.before, posted.number);
          continue;
        }
        take(posted.number);
        order.onRelayed();
      } else {
        const Posted posted = straight.front();
        straight.pop_front();
        if (!order.isNext(static_cast<std::uint16_t>(posted.before))) {
          order.holdStraight(static_cast<std::uint16_t>(posted.before), posted.number);
          continue;
        }
        take(posted.number);
        order.onStraight();
      }
      order.takeHeld(take);
    }
    ASSERT_EQ(taken.size(), 60u) << seed;
    EXPECT_TRUE(std::is_sorted(taken.begin(), taken.end())) << seed;
    EXPECT_EQ(order.held(), 0u);
  }
}

TEST(Multicast, MalformedReceiversAreRefused) {
  const auto refuses = [](MulticastHead head, std::size_t receivers) {
    std::vector<std::byte> body(sizeof(head) + receivers * sizeof(MulticastReceiver));
    std::memcpy(body.data(), &head, sizeof(head));
    fabric::Bytes rest(body);
    std::vector<MulticastReceiver> read;
    return !takeReceivers(rest, head, read);
  };
  MulticastHead head;
  head.receivers = 2;
  EXPECT_FALSE(refuses(head, 2));
  EXPECT_TRUE(refuses(head, 1)) << "more than there are";
  head.receivers = ~0u;
  EXPECT_TRUE(refuses(head, 2));
  head.receivers = 0;
  EXPECT_TRUE(refuses(head, 2)) << "nobody";
  head.receivers = 1;
  head.passing = 15;
  EXPECT_TRUE(refuses(head, 2)) << "no urgency";
}

/// All nodes post to each and to all, small and large, over a slow network; messages are numbered
/// by sender and receiver.
TEST(Multicast, MessagesOfBothWaysKeepTheirOrder) {
  constexpr unsigned kNodes = 6, kMessages = 300;
  fabric::LoopbackNetwork network(kNodes, {});
  std::vector<std::unique_ptr<fabric::FaultTransport>> transports;
  std::vector<std::unique_ptr<Messenger>> messengers;
  std::vector<std::array<std::atomic<std::uint32_t>, kNodes>> received(kNodes);
  std::atomic<unsigned> disorder{0};
  fabric::FaultOptions faults;
  faults.delayMax = std::chrono::microseconds(300);
  faults.blockProbability = 0.1;
  MessengerOptions options;
  options.spinMicroseconds = 0;
  for (unsigned n = 0; n < kNodes; ++n) {
    faults.seed = n + 1;
    transports.push_back(std::make_unique<fabric::FaultTransport>(network.node(NodeId(n)), faults));
    messengers.push_back(std::make_unique<Messenger>(*transports.back(), options));
    for (const MessageKind kind : {MessageKind::Data, MessageKind::Update})
      messengers.back()->setHandler(kind, [&, n](NodeId from, fabric::Bytes body) {
        std::array<std::uint32_t, kNodes> numbers;
        std::memcpy(numbers.data(), body.data(), sizeof(numbers));
        disorder += numbers[n] != received[n][from]++;
        messengers[n]->notify();
      });
  }
  for (auto &messenger : messengers)
    messenger->start();
  std::vector<std::thread> threads;
  std::vector<std::array<std::uint32_t, kNodes>> posted(kNodes);
  for (unsigned n = 0; n < kNodes; ++n)
    threads.emplace_back([&, n] {
      std::mt19937 dice(n);
      std::array<std::uint32_t, kNodes> &numbers = posted[n];
      const std::vector<std::byte> large(20000);
      for (unsigned i = 0; i < kMessages; ++i) {
        std::vector<NodeId> receivers;
        for (unsigned to = 0; to < kNodes; ++to)
          if (to != n && dice() % 3 != 0)
            receivers.push_back(NodeId(to));
        std::shuffle(receivers.begin(), receivers.end(), dice);
        if (receivers.empty())
          continue;
        if (dice() % 2)
          receivers.resize(1);
        const auto body = std::as_bytes(std::span(numbers));
        const fabric::Bytes rest = dice() % 4 ? fabric::Bytes() : fabric::Bytes(large);
        if (receivers.size() == 1)
          messengers[n]->post(receivers[0], MessageKind::Update, {body, rest});
        else
          messengers[n]->postToAll(receivers, MessageKind::Data, {body, rest}, fabric::Urgency::Now,
                                   fabric::Urgency::Now);
        for (const NodeId to : receivers)
          ++numbers[to];
        if (dice() % 4 == 0)
          messengers[n]->flush();
      }
      messengers[n]->flush();
    });
  for (std::thread &thread : threads)
    thread.join();
  for (unsigned n = 0; n < kNodes; ++n)
    messengers[n]->waitUntil([&] {
      for (unsigned from = 0; from < kNodes; ++from)
        if (received[n][from] != posted[from][n])
          return false;
      return true;
    });
  EXPECT_EQ(disorder, 0u);
  for (auto &messenger : messengers)
    messenger->stop();
}

struct Sent {
  std::uint64_t packetsOfHome = 0, multicasts = 0;
};

/// Node 0 writes 16 KiB, and all others read it.
Sent broadcast(bool multicast, bool allWrite) {
  constexpr unsigned kNodes = 8, kRounds = 30;
  constexpr std::size_t kBytes = 16 * 1024;
  ClusterOptions options;
  options.nodes = kNodes;
  options.multicast = multicast;
  options.areas.clear();
  for (unsigned n = 0; n < kNodes; ++n)
    options.areas.push_back({n * kBytes, kBytes, NodeId(n), 11});
  Cluster cluster(options);
  runThreads(cluster, "a broadcast", [&](NodeThread &thread, unsigned n) {
    for (unsigned round = 1; round <= kRounds; ++round) {
      if (n == 0 || allWrite)
        for (std::size_t at = 0; at < kBytes; at += sizeof(unsigned))
          thread.write<unsigned>(cluster.at(n, at), 1000 * round + unsigned(at) + n);
      thread.barrier();
      for (unsigned from = 0; from < (allWrite ? kNodes : 1); ++from)
        for (std::size_t at = 0; at < kBytes; at += 64)
          ASSERT_EQ(thread.read<unsigned>(cluster.at(from, at)),
                    1000 * round + unsigned(at) + from);
      thread.barrier();
    }
  });
  Sent sent;
  sent.packetsOfHome = cluster.messenger(0).packets().packets;
  for (unsigned n = 0; n < kNodes; ++n)
    sent.multicasts += cluster.sent(NodeId(n), MessageKind::Multicast);
  return sent;
}

TEST(Multicast, WhatOneNodeWritesAndAllReadLeavesItInFewPackets) {
  const Sent without = broadcast(false, false), with = broadcast(true, false);
  EXPECT_EQ(without.multicasts, 0u);
  EXPECT_GT(with.multicasts, 150u) << "7 in each round but the first ones";
  EXPECT_LT(with.packetsOfHome + 80, without.packetsOfHome) << "3 instead of 7 in each";
}

TEST(Multicast, WhatAllWriteAndAllReadGoesStraight) {
  EXPECT_LT(broadcast(true, true).multicasts, 8u * 7 * 30 / 4) << "but at first";
}

} // namespace
} // namespace ompdsm::test
