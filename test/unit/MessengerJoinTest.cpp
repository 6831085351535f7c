// MessengerJoinTest.cpp: things that might be messages of their own, but have the head in common.
#include "test/unit/MessengerPair.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

constexpr std::size_t kThing = joiningOf(MessageKind::AtomicPut).thingBytes;

/// What might be messages with the same head.
struct JoiningPair : Pair {
  using Pair::Pair;
  void add(std::uint64_t head, std::uint8_t value) {
    const std::vector thing(kThing, std::byte(value));
    sender.post(1, MessageKind::AtomicPut, {std::as_bytes(std::span(&head, 1)), thing});
  }
  /// Of each body, how many things it has.
  std::vector<std::size_t> arrive() {
    sender.flush();
    receiveAll();
    std::vector<std::size_t> counts;
    for (const std::vector<std::byte> &body : bodies)
      counts.push_back(thingsIn(MessageKind::AtomicPut, body.size()));
    return counts;
  }
};

TEST(MessengerJoin, WhatHasTheSameHeadJoinsTheMessageBefore) {
  JoiningPair pair;
  for (std::uint8_t value = 1; value <= 3; ++value)
    pair.add(7, value);
  EXPECT_EQ(pair.arrive(), (std::vector<std::size_t>{3}));
  for (std::uint8_t value = 1; value <= 3; ++value)
    EXPECT_EQ(pair.bodies[0][7 + value * kThing], std::byte(value));
  EXPECT_EQ(pair.sender.counters(MessageKind::AtomicPut).messages, 1u);
  EXPECT_EQ(pair.sender.counters(MessageKind::AtomicPut).bytes,
            Messenger::kHeaderBytes + 8 + 3 * kThing);
  EXPECT_EQ(pair.bytesInPackets(), Messenger::kHeaderBytes + 8 + 3 * kThing);
  pair.add(7, 4); // the one before has left
  EXPECT_EQ(pair.arrive(), (std::vector<std::size_t>{3, 1}));
}

TEST(MessengerJoin, WhatHasAnotherHeadOrComesBehindAnotherMessageIsItsOwn) {
  JoiningPair pair;
  pair.add(7, 1);
  pair.add(8, 2);
  pair.post(MessageKind::Get, 8);
  pair.add(8, 3);
  pair.post(MessageKind::Invalidate, 8); // of another channel
  pair.add(8, 4);
  EXPECT_EQ(pair.arrive().size(), 5u);
  std::erase(pair.kinds, MessageKind::Invalidate);
  EXPECT_EQ(pair.kinds, (std::vector{MessageKind::AtomicPut, MessageKind::AtomicPut,
                                     MessageKind::Get, MessageKind::AtomicPut}));
  EXPECT_EQ(pair.sender.counters(MessageKind::AtomicPut).messages, 3u);
}

TEST(MessengerJoin, WhatFollowsARequestThatGoesWithRepliesIsItsOwn) {
  JoiningPair pair;
  pair.add(7, 1);
  {
    const Messenger::Group group(pair.sender, 1);
    pair.post(MessageKind::Get, 8);
  }
  pair.add(7, 2);
  EXPECT_EQ(pair.arrive().size(), 3u);
  EXPECT_EQ(pair.kinds[1], MessageKind::Get);
}

TEST(MessengerJoin, JoinedMessagesFillPackets) {
  JoiningPair pair;
  const std::size_t fit = (fabric::kMaxMessageBytes - Messenger::kHeaderBytes - 8) / kThing;
  for (std::size_t i = 0; i < fit + 100; ++i)
    pair.add(7, 1);
  EXPECT_EQ(pair.arrive(), (std::vector<std::size_t>{fit, 100}));
}

TEST(MessengerJoin, NothingJoinsWhereEachMessageIsAPacket) {
  JoiningPair pair({}, false);
  pair.add(7, 1);
  pair.add(7, 2);
  EXPECT_EQ(pair.arrive().size(), 2u);
}

} // namespace
} // namespace ompdsm::test
