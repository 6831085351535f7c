// MessengerTest.cpp: messages that are posted together leave as one packet, and arrive one by one
// and in order.
#include "test/unit/ForwardingTransport.h"
#include "test/unit/MessengerPair.h"
#include <gtest/gtest.h>
#include <thread>

namespace ompdsm::test {
namespace {

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

/// Node 0 has posted something, and gets messages while its thread has more to say.
struct Unflushed {
  Unflushed() : self(network.node(0), options()), other(network.node(1), options()) {}
  static MessengerOptions options() {
    MessengerOptions options;
    options.spinMicroseconds = 0;
    options.serviceThread = false;
    return options;
  }
  void post(MessageKind kind) { self.post(1, kind, {one}); }
  /// How many packets have left node 0 when it has handled such a message.
  std::uint64_t packetsAfter(MessageKind kind) {
    other.post(0, kind, {one});
    other.flush();
    while (self.makeProgress()) {
    }
    return self.packets().packets.load();
  }
  fabric::LoopbackNetwork network{2};
  Messenger self, other;
  const std::byte body{1};
  const fabric::Bytes one{&body, 1};
};

TEST(Messenger, WhatAThreadHasPostedWaitsForItsFlushThoughHandlersRun) {
  Unflushed node;
  node.self.setHandler(kSmall, [](NodeId, fabric::Bytes) {});
  node.self.setHandler(kOther, [&](NodeId, fabric::Bytes) { node.post(kOther); });
  node.post(kSmall); // a thread that has more to say
  EXPECT_EQ(node.packetsAfter(kSmall), 0u);
  EXPECT_EQ(node.packetsAfter(kOther), 1u); // an answer does not wait, nor does what is before it
  node.post(kSmall);
  EXPECT_EQ(node.packetsAfter(kSmall), 1u);
}

TEST(Messenger, WhatAThreadHasPostedLeavesSoonIfAHandlerTellsOfIt) {
  Unflushed node;
  node.self.setHandler(kSmall, [&](NodeId, fabric::Bytes) { node.self.sendSoon(1); });
  node.self.setHandler(kReply, [](NodeId, fabric::Bytes) {});
  node.post(MessageKind::Put);
  node.post(kOther);
  EXPECT_EQ(node.packetsAfter(kReply), 0u);
  EXPECT_EQ(node.packetsAfter(kSmall), 2u); // one of each channel
  EXPECT_EQ(node.packetsAfter(kSmall), 2u);
  node.post(kOther); // what is said of an empty queue does not hold for what comes later
  EXPECT_EQ(node.packetsAfter(kReply), 2u);
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

/// Asleep, too: nobody notifies.
TEST(Messenger, WhoWaitsForSomeTimeGoesOnBehindIt) {
  fabric::LoopbackNetwork network(1);
  Messenger messenger(network.node(0), {.spinMicroseconds = 1, .serviceThread = false});
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(messenger.waitAtMost(std::chrono::milliseconds(20), [] { return false; }));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(20));
  EXPECT_TRUE(messenger.waitAtMost(std::chrono::hours(1), [] { return true; }));
}

/// Something comes with each of the first polls.
class BusyTransport final : public ForwardingTransport {
public:
  using ForwardingTransport::ForwardingTransport;
  unsigned poll(fabric::ChannelSet, fabric::Receiver &, unsigned) override {
    std::this_thread::sleep_for(std::chrono::microseconds(2));
    return ++polls <= 64;
  }
  void beginWaiting() override { sleeps = true; }
  unsigned polls = 0;
  bool sleeps = false;
};

TEST(Messenger, WhoWaitsAndServesOthersDoesNotSleep) {
  fabric::LoopbackNetwork network(1);
  BusyTransport transport(network.node(0));
  Messenger messenger(transport, {.spinMicroseconds = 1, .serviceThread = false});
  messenger.waitUntil([&] { return transport.polls >= 64 || transport.sleeps; });
  EXPECT_FALSE(transport.sleeps);
  messenger.waitUntil([&] { return transport.sleeps; }); // nothing comes any more
}

/// Or the message would leave with the next that is sent, and nobody would be woken for it.
TEST(Messenger, WhatIsInAHurryLeavesByItselfAndWakesItsReceiver) {
  fabric::LoopbackNetwork network(2);
  PollerCount transport(network.node(0));
  Messenger sender(transport, {}), receiver(network.node(1), {});
  std::atomic<unsigned> arrived{0};
  receiver.setHandler(kSmall, [&](NodeId, fabric::Bytes) { ++arrived; });
  sender.start();
  receiver.start();
  for (unsigned times = 1; times <= 3; ++times) {
    sender.post(1, kSmall, {}, fabric::Urgency::WhenSeen);
    sender.hurry();
    while (arrived != times || transport.insisted < int(times))
      std::this_thread::yield();
  }
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
