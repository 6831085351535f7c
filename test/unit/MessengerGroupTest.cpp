// MessengerGroupTest.cpp: large messages that wait, where they are, for what follows them; and
// messages that the transport refuses, among groups and without.
#include "test/unit/MessengerPair.h"
#include <gtest/gtest.h>
#include <optional>

namespace ompdsm::test {
namespace {

constexpr auto kStay = Messenger::Parts::Stay;

/// All come in the order in which they were posted: number i has the value i, from 1 on.
void expectBodies(Pair &pair, std::initializer_list<unsigned> sizes) {
  pair.receiveAll();
  std::vector<std::vector<std::byte>> expected;
  for (const unsigned size : sizes)
    expected.emplace_back(size, std::byte(std::uint8_t(expected.size() + 1)));
  EXPECT_EQ(pair.bodies, expected);
}

TEST(MessengerGroup, InAGroupWhatFollowsALargeMessageGoesWithIt) {
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
  expectBodies(pair, {10, 60000, 20, 20, 50000, 30, 40000});
}

TEST(MessengerGroup, InAGroupWhatMayChangeLeavesAtOnce) {
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

TEST(MessengerGroup, AFlushSendsWhatIsGroupedSoFar) {
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

TEST(MessengerGroup, InAGroupSmallRequestsGoWithReplies) {
  Pair pair;
  {
    const Messenger::Group group(pair.sender, 1);
    pair.post(kReply, 10, std::byte(1), kStay);
    pair.post(MessageKind::Get, 20, std::byte(2));
    pair.post(kReply, 60000, std::byte(3), kStay);
    pair.post(MessageKind::Get, 30, std::byte(4));
    pair.post(kReply, 40, std::byte(5), kStay);
  }
  EXPECT_EQ(pair.packets(), 1u);
  EXPECT_EQ(pair.sender.counters(MessageKind::Get).messages, 2u);
  EXPECT_EQ(pair.sender.counters(MessageKind::Get).bytes, 50 + 2 * Messenger::kHeaderBytes);
  expectBodies(pair, {10, 20, 60000, 30, 40});
}

TEST(MessengerGroup, RequestsLeaveByThemselvesIfLargeOrNothingIsJoined) {
  Pair pair;
  const Messenger::Group group(pair.sender, 1);
  pair.post(kReply, 10, std::byte(1), kStay);
  pair.post(MessageKind::Get, 20000);
  EXPECT_EQ(pair.packets(), 1u);

  Pair apart({}, /*joins=*/false);
  const Messenger::Group ofApart(apart.sender, 1);
  apart.post(kReply, 10, std::byte(1), kStay);
  apart.post(MessageKind::Get, 20);
  apart.sender.flush();
  EXPECT_EQ(apart.packets(), 2u);
}

/// The one before has not come, as it waits in its channel, when a request comes with replies; and
/// what follows in the channel overtakes one that is under way with them.
TEST(MessengerGroup, ARequestThatGoesWithRepliesKeepsItsPlace) {
  Pair pair(fabric::LoopbackLimits{1, fabric::kMaxMessageBytes});
  pair.receiver.holdRequests(true);
  const auto request = [&](unsigned number) {
    pair.post(MessageKind::Get, 8, std::byte(std::uint8_t(number)));
  };
  request(0);
  pair.sender.flush();
  {
    const Messenger::Group group(pair.sender, 1);
    request(1);
  }
  pair.sender.flush();
  pair.receiveAll();
  EXPECT_TRUE(pair.bodies.empty());
  pair.receiver.holdRequests(false);
  pair.receiveAll();
  EXPECT_EQ(pair.bodies.size(), 2u);

  pair.post(kReply, 8); // takes the only place of its channel
  pair.sender.flush();
  {
    const Messenger::Group group(pair.sender, 1);
    request(2);
  }
  pair.sender.flush();
  request(3);
  pair.sender.flush();
  for (unsigned round = 0; round < 10; ++round) {
    pair.receiveAll();
    pair.sender.flush();
  }
  std::erase(pair.bodies, std::vector(8, std::byte()));
  ASSERT_EQ(pair.bodies.size(), 3u);
  for (unsigned i = 0; i < 3; ++i)
    EXPECT_EQ(pair.bodies[i], std::vector(8, std::byte(std::uint8_t(i + 1))));
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

} // namespace
} // namespace ompdsm::test
