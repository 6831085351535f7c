// MessengerTest.cpp: messages that are posted together leave as one packet, and arrive one by one
// and in order.
#include "protocol/engine/Messenger.h"
#include "fabric/Loopback.h"
#include "test/unit/ForwardingTransport.h"
#include <deque>
#include <gtest/gtest.h>
#include <optional>
#include <thread>

namespace ompdsm::test {
namespace {

constexpr auto kSmall = MessageKind(40), kOther = MessageKind(41);
constexpr auto kReply = MessageKind(64);
constexpr auto kStay = Messenger::Parts::Stay;

/// Two nodes without service threads; node 1 notes what it gets.
class Pair {
public:
  explicit Pair(fabric::LoopbackLimits limits = {}, bool joins = true)
      : network_(2, limits), sender(network_.node(0), options(joins)),
        receiver(network_.node(1), options(joins)) {
    for (MessageKind kind : {kSmall, kOther, kReply, MessageKind::Invalidate, MessageKind::Get})
      receiver.setHandler(kind, [this, kind](NodeId, fabric::Bytes body) {
        bodies.emplace_back(body.begin(), body.end());
        kinds.push_back(kind);
      });
  }
  void post(MessageKind kind, std::size_t bytes, std::byte value = {},
            Messenger::Parts stay = Messenger::Parts::MayChange) {
    std::vector<std::byte> body(bytes, value);
    sender.post(1, kind, {body}, fabric::Urgency::Now, stay);
    if (stay == Messenger::Parts::Stay)
      posted_.push_back(std::move(body));
  }
  std::uint64_t packets() const { return sender.packets().packets; }
  std::uint64_t bytesInPackets() const { return sender.packets().bytes; }
  void receiveAll() {
    while (receiver.makeProgress()) {
    }
  }

private:
  static MessengerOptions options(bool joins) {
    MessengerOptions options;
    options.joinMessages = joins;
    options.spinMicroseconds = 0;
    options.serviceThread = false;
    return options;
  }
  fabric::LoopbackNetwork network_;
  std::deque<std::vector<std::byte>> posted_;

public:
  Messenger sender, receiver;
  std::vector<MessageKind> kinds;
  std::vector<std::vector<std::byte>> bodies;
};

TEST(Messenger, WhatIsPostedTogetherLeavesAsOnePacket) {
  Pair pair;
  pair.post(kSmall, 10, std::byte(1));
  pair.post(kOther, 0);
  pair.post(kSmall, 20, std::byte(2));
  EXPECT_EQ(pair.packets(), 0u);
  pair.sender.flush();
  EXPECT_EQ(pair.packets(), 1u);
  EXPECT_EQ(pair.bytesInPackets(), 3 * Messenger::kHeaderBytes + 30);
  pair.receiveAll();
  EXPECT_EQ(pair.kinds, (std::vector{kSmall, kOther, kSmall}));
  EXPECT_EQ(pair.bodies[0], std::vector(10, std::byte(1)));
  EXPECT_TRUE(pair.bodies[1].empty());
  EXPECT_EQ(pair.bodies[2], std::vector(20, std::byte(2)));
  EXPECT_EQ(pair.sender.counters(kSmall).messages, 2u);
}

TEST(Messenger, ChannelsDoNotShareAPacket) {
  Pair pair;
  pair.post(kSmall, 8);
  pair.post(MessageKind::Get, 8);
  pair.post(MessageKind::Invalidate, 8);
  pair.sender.flush();
  EXPECT_EQ(pair.packets(), 3u);
}

TEST(Messenger, ALargeMessageTakesWhatIsBeforeItAlong) {
  Pair pair;
  pair.post(kSmall, 10, std::byte(1));
  pair.post(kSmall, 60000, std::byte(2));
  EXPECT_EQ(pair.packets(), 1u);
  pair.post(kSmall, 60000, std::byte(3));
  EXPECT_EQ(pair.packets(), 2u);
  pair.post(kSmall, 10, std::byte(4));
  pair.sender.flush();
  pair.receiveAll();
  ASSERT_EQ(pair.bodies.size(), 4u);
  for (unsigned i = 0; i < 4; ++i)
    EXPECT_EQ(pair.bodies[i],
              std::vector(i == 0 || i == 3 ? 10u : 60000u, std::byte(std::uint8_t(i + 1))));
}

TEST(Messenger, APacketHoldsAsMuchAsAMessageOfTheTransport) {
  Pair pair;
  const std::size_t body = 10000;
  const std::size_t fit = fabric::kMaxMessageBytes / (body + Messenger::kHeaderBytes);
  for (std::size_t i = 0; i < fit; ++i)
    pair.post(kSmall, body);
  EXPECT_EQ(pair.packets(), 0u);
  pair.post(kSmall, body);
  EXPECT_EQ(pair.packets(), 1u);
  pair.post(kSmall, Messenger::kMaxBodyBytes);
  pair.sender.flush();
  pair.receiveAll();
  EXPECT_EQ(pair.bodies.size(), fit + 2);
}

TEST(Messenger, EachMessageIsAPacketWhereThatIsChosen) {
  Pair pair({}, false);
  for (unsigned i = 0; i < 4; ++i)
    pair.post(kSmall, i % 2 ? 60000 : 10, std::byte(std::uint8_t(i)));
  pair.sender.flush();
  EXPECT_EQ(pair.packets(), 4u);
  pair.receiveAll();
  ASSERT_EQ(pair.bodies.size(), 4u);
  for (unsigned i = 0; i < 4; ++i)
    EXPECT_EQ(pair.bodies[i], std::vector(i % 2 ? 60000u : 10u, std::byte(std::uint8_t(i))));
}

TEST(Messenger, InAGroupWhatFollowsALargeMessageGoesWithIt) {
  Pair pair;
  {
    const Messenger::Group group(pair.sender, 1);
    pair.post(kReply, 10, std::byte(1), kStay);
    pair.post(kReply, 60000, std::byte(2), kStay);
    pair.post(kReply, 20, std::byte(3), kStay);
    pair.post(kReply, 20, std::byte(4), kStay);
    EXPECT_EQ(pair.packets(), 0u);
    pair.post(kReply, 50000, std::byte(5), kStay); // the first one has no room for it
    EXPECT_EQ(pair.packets(), 1u);
    pair.post(kReply, 30, std::byte(6), kStay);
    EXPECT_EQ(pair.packets(), 1u);
  }
  EXPECT_EQ(pair.packets(), 2u);
  pair.post(kReply, 40000, std::byte(7), kStay); // its end ends it
  EXPECT_EQ(pair.packets(), 3u);
  pair.receiveAll();
  const unsigned sizes[] = {10, 60000, 20, 20, 50000, 30, 40000};
  ASSERT_EQ(pair.bodies.size(), std::size(sizes));
  for (unsigned i = 0; i < std::size(sizes); ++i)
    EXPECT_EQ(pair.bodies[i], std::vector(sizes[i], std::byte(std::uint8_t(i + 1)))) << i;
}

TEST(Messenger, InAGroupWhatMayChangeLeavesAtOnce) {
  Pair pair;
  const Messenger::Group group(pair.sender, 1);
  pair.post(kReply, 40000, std::byte(1), kStay);
  pair.post(kReply, 20000, std::byte(2)); // behind the one that waits
  pair.post(kReply, 60000, std::byte(3));
  EXPECT_EQ(pair.packets(), 3u);
  pair.receiveAll();
  ASSERT_EQ(pair.bodies.size(), 3u);
  EXPECT_EQ(pair.bodies[2], std::vector(60000u, std::byte(3)));
}

TEST(Messenger, AFlushSendsWhatIsGroupedSoFar) {
  Pair pair;
  const Messenger::Group group(pair.sender, 1);
  pair.post(kReply, 60000, std::byte(1), kStay);
  pair.sender.flush();
  EXPECT_EQ(pair.packets(), 1u);
  pair.post(kReply, 10, std::byte(2), kStay);
  pair.sender.flush();
  pair.receiveAll();
  ASSERT_EQ(pair.bodies.size(), 2u);
  EXPECT_EQ(pair.bodies[0], std::vector(60000u, std::byte(1)));
  EXPECT_EQ(pair.bodies[1], std::vector(10u, std::byte(2)));
}

class MessengerThatIsRefused : public testing::TestWithParam<bool> {};
TEST_P(MessengerThatIsRefused, SendsInOrderLater) {
  Pair pair(fabric::LoopbackLimits{1, fabric::kMaxMessageBytes}, GetParam());
  constexpr unsigned kMessages = 500;
  for (unsigned i = 0; i < kMessages; ++i) {
    std::optional<Messenger::Group> group;
    if (i % 4 == 0)
      group.emplace(pair.sender, NodeId(1));
    pair.post(i % 7 ? kReply : MessageKind::Invalidate, i % 5 ? i : 20000 + i,
              std::byte(std::uint8_t(i)), kStay);
    if (i % 3)
      pair.sender.flush();
  }
  for (unsigned round = 0; round < 10 * kMessages && pair.bodies.size() < kMessages; ++round) {
    pair.receiver.makeProgress();
    pair.sender.flush();
  }
  ASSERT_EQ(pair.bodies.size(), kMessages);
  for (unsigned i = 0; i < kMessages; ++i)
    EXPECT_EQ(pair.bodies[i], std::vector(i % 5 ? i : 20000 + i, std::byte(std::uint8_t(i)))) << i;
}

INSTANTIATE_TEST_SUITE_P(Joining, MessengerThatIsRefused, testing::Bool());

/// Node 1 answers Data.
struct AnsweringPair : Pair {
  AnsweringPair() {
    sender.setHandler(MessageKind::InvalidateAck, [](NodeId, fabric::Bytes) {});
    receiver.setHandler(MessageKind::Data, [this](NodeId from, fabric::Bytes) {
      receiver.post(from, MessageKind::InvalidateAck, {});
    });
  }
};

TEST(Messenger, HandlersAnswerOnceForAPacket) {
  AnsweringPair pair;
  for (unsigned i = 0; i < 5; ++i)
    pair.post(MessageKind::Data, 1);
  pair.sender.flush();
  pair.receiveAll();
  EXPECT_EQ(pair.receiver.counters(MessageKind::InvalidateAck).messages, 5u);
  EXPECT_EQ(pair.receiver.packets().packets, 1u);
}

TEST(Messenger, HandlersAnswerOnceForPacketsThatHaveComeTogether) {
  AnsweringPair pair;
  const auto send = [&](unsigned packets) {
    for (unsigned i = 0; i < packets; ++i) {
      pair.post(MessageKind::Data, 1);
      pair.sender.flush();
    }
    pair.receiveAll();
  };
  send(3);
  EXPECT_EQ(pair.receiver.counters(MessageKind::InvalidateAck).messages, 3u);
  EXPECT_EQ(pair.receiver.packets().packets, 1u);
  send(9); // the first do not wait for the last
  EXPECT_EQ(pair.receiver.counters(MessageKind::InvalidateAck).messages, 12u);
  EXPECT_EQ(pair.receiver.packets().packets, 4u);
}

TEST(Messenger, WhatAThreadHasPostedWaitsForItsFlushThoughHandlersRun) {
  fabric::LoopbackNetwork network(2);
  MessengerOptions options;
  options.spinMicroseconds = 0;
  options.serviceThread = false;
  Messenger self(network.node(0), options), other(network.node(1), options);
  const std::byte body{1};
  const fabric::Bytes one(&body, 1);
  self.setHandler(kSmall, [](NodeId, fabric::Bytes) {});
  self.setHandler(kOther, [&](NodeId, fabric::Bytes) { self.post(1, kOther, {one}); });
  const auto packetsAfter = [&](MessageKind kind) {
    other.post(0, kind, {one});
    other.flush();
    while (self.makeProgress()) {
    }
    return self.packets().packets.load();
  };
  self.post(1, kSmall, {one}); // a thread that has more to say
  EXPECT_EQ(packetsAfter(kSmall), 0u);
  EXPECT_EQ(packetsAfter(kOther), 1u); // an answer does not wait, nor does what is before it
  self.post(1, kSmall, {one});
  EXPECT_EQ(packetsAfter(kSmall), 1u);
}

/// Counts the threads that have announced that they poll, and how often a sleeper was woken.
class PollerCount final : public ForwardingTransport {
public:
  using ForwardingTransport::ForwardingTransport;
  fabric::SendResult trySend(NodeId to, fabric::Channel channel,
                             std::span<const fabric::Bytes> parts,
                             fabric::Urgency urgency) override {
    urgencies.push_back(urgency);
    return ForwardingTransport::trySend(to, channel, parts, urgency);
  }
  void insist() override { ++insisted; }
  void wake() override {
    ++wakes;
    ForwardingTransport::wake();
  }
  void beginPolling() override { ++pollers; }
  void endPolling() override { --pollers; }

  std::atomic<int> pollers{0}, wakes{0}, insisted{0};
  std::vector<fabric::Urgency> urgencies;
};

TEST(Messenger, WhoAttendsPollsExceptWhileItSleeps) {
  fabric::LoopbackNetwork network(1);
  PollerCount transport(network.node(0));
  Messenger messenger(transport, {.spinMicroseconds = 1, .serviceThread = false});
  std::atomic<bool> isAwaited{false}, isMet{false};
  std::thread waiter([&] {
    Messenger::Attendance outer(messenger);
    {
      Messenger::Attendance inner(messenger);
      EXPECT_EQ(transport.pollers, 1);
    }
    EXPECT_EQ(transport.pollers, 1);
    isAwaited = true;
    messenger.waitUntil([&] { return isMet.load(); });
    EXPECT_EQ(transport.pollers, 1);
  });
  while (!isAwaited || transport.pollers != 0)
    std::this_thread::yield();
  isMet = true;
  messenger.notify();
  waiter.join();
  EXPECT_EQ(transport.pollers, 0);
}

TEST(Messenger, WhoAttendsTriesAgainByItselfAndWakesNobodyButWhenItEndsOrSleeps) {
  fabric::LoopbackNetwork network(2, fabric::LoopbackLimits{.messages = 1});
  PollerCount transport(network.node(0));
  Messenger messenger(transport, {.spinMicroseconds = 1, .serviceThread = false});
  const auto postTwo = [&] {
    for (int i = 0; i < 2; ++i) {
      messenger.post(1, kSmall, {});
      messenger.flush();
    }
  };
  std::atomic<bool> isMet{false};
  std::thread sender([&] {
    {
      Messenger::Attendance attendance(messenger);
      postTwo(); // the second is refused
      messenger.makeProgress();
      EXPECT_EQ(transport.wakes, 0);
      std::thread waker([&] {
        while (transport.pollers != 0)
          std::this_thread::yield();
        isMet = true;
        messenger.notify();
      });
      messenger.waitUntil([&] { return isMet.load(); });
      waker.join();
      EXPECT_GT(transport.wakes, 0) << "it was about to sleep";
      transport.wakes = 0;
    }
    EXPECT_EQ(transport.wakes, 1) << "it has gone";
    postTwo();
    EXPECT_GT(transport.wakes, 1) << "it is nobody who polls";
  });
  sender.join();
}

TEST(Messenger, WhoIsAboutToWaitWakesOthersOnlyIfThatTakesLong) {
  using enum fabric::Urgency;
  fabric::LoopbackNetwork network(2);
  PollerCount transport(network.node(0));
  Messenger messenger(transport, {.spinMicroseconds = 1000, .serviceThread = false});
  const auto post = [&] {
    messenger.post(1, kSmall, {});
    messenger.flush();
  };
  post();
  std::atomic<bool> isMet{false};
  {
    Messenger::Attendance attendance(messenger);
    post();
    EXPECT_EQ(transport.insisted, 0);
    std::thread answer([&] {
      while (transport.insisted == 0) // it has polled in vain for some time
        std::this_thread::yield();
      isMet = true;
      messenger.notify();
    });
    messenger.waitUntil([&] { return isMet.load(); });
    answer.join();
    transport.insisted = 0;
  }
  EXPECT_EQ(transport.insisted, 1) << "it polls no more";
  post();
  EXPECT_EQ(transport.urgencies, (std::vector{Now, WhenSeen, Now}));
}

TEST(Messenger, WhoComputesServesUnlessItExecutesTheProtocol) {
  fabric::LoopbackNetwork network(2);
  Messenger self(network.node(0), {.spinMicroseconds = 0, .serviceThread = false});
  Messenger other(network.node(1), {.spinMicroseconds = 0, .serviceThread = false});
  int handled = 0;
  self.setHandler(kSmall, [&](NodeId, fabric::Bytes) { ++handled; });
  other.post(0, kSmall, {});
  other.flush();
  {
    ProtocolScope scope;
    self.attend();
  }
  EXPECT_EQ(handled, 0);
  self.attend();
  EXPECT_EQ(handled, 1);
  EXPECT_EQ(self.attended(), 1u);
}

TEST(Messenger, NobodyPollsWhereCoresAreScarce) {
  fabric::LoopbackNetwork network(1);
  PollerCount transport(network.node(0));
  Messenger messenger(transport, {.spinMicroseconds = 0, .serviceThread = false});
  Messenger::Attendance attendance(messenger);
  EXPECT_EQ(transport.pollers, 0);
}

} // namespace
} // namespace ompdsm::test
