// MessengerTest.cpp: messages that are posted together leave as one packet, and arrive one by one
// and in order.
#include "protocol/engine/Messenger.h"
#include "fabric/Loopback.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

constexpr auto kSmall = MessageKind(40), kOther = MessageKind(41);

/// Two nodes without service threads; node 1 notes what it gets.
class Pair {
public:
  explicit Pair(fabric::LoopbackLimits limits = {})
      : network_(2, limits), sender(network_.node(0), options()),
        receiver(network_.node(1), options()) {
    for (MessageKind kind : {kSmall, kOther, MessageKind::Invalidate, MessageKind::Get})
      receiver.setHandler(kind, [this, kind](NodeId, fabric::Bytes body) {
        bodies.emplace_back(body.begin(), body.end());
        kinds.push_back(kind);
      });
  }
  void post(MessageKind kind, std::size_t bytes, std::byte value = {}) {
    const std::vector<std::byte> body(bytes, value);
    sender.post(1, kind, {body});
  }
  std::uint64_t packets() const { return sender.packets().packets; }
  std::uint64_t bytesInPackets() const { return sender.packets().bytes; }
  void receiveAll() {
    while (receiver.makeProgress()) {
    }
  }

private:
  static MessengerOptions options() {
    MessengerOptions options;
    options.spinMicroseconds = 0;
    options.serviceThread = false;
    return options;
  }
  fabric::LoopbackNetwork network_;

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

TEST(Messenger, WhatTheTransportRefusesFollowsInOrder) {
  Pair pair(fabric::LoopbackLimits{1, fabric::kMaxMessageBytes});
  constexpr unsigned kMessages = 500;
  for (unsigned i = 0; i < kMessages; ++i) {
    pair.post(i % 7 ? kSmall : kOther, i % 5 ? i : 20000 + i, std::byte(std::uint8_t(i)));
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

TEST(Messenger, HandlersAnswerOnceForAPacket) {
  Pair pair;
  pair.sender.setHandler(MessageKind::InvalidateAck, [](NodeId, fabric::Bytes) {});
  pair.receiver.setHandler(MessageKind::Data, [&](NodeId from, fabric::Bytes) {
    pair.receiver.post(from, MessageKind::InvalidateAck, {});
  });
  for (unsigned i = 0; i < 5; ++i)
    pair.post(MessageKind::Data, 1);
  pair.sender.flush();
  pair.receiveAll();
  EXPECT_EQ(pair.receiver.counters(MessageKind::InvalidateAck).messages, 5u);
  EXPECT_EQ(pair.receiver.packets().packets, 1u);
}

} // namespace
} // namespace ompdsm::test
