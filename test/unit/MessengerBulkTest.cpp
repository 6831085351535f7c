// MessengerBulkTest.cpp: what comes is looked for between packets of bulk.
#include "fabric/Loopback.h"
#include "protocol/engine/Messenger.h"
#include "test/unit/ForwardingTransport.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

constexpr auto kControl = MessageKind(40);

/// Takes nothing until it is opened, then everything, and notes sends (S) and polls (P).
class Gate final : public ForwardingTransport {
public:
  using ForwardingTransport::ForwardingTransport;
  fabric::SendResult trySend(NodeId to, fabric::Channel channel,
                             std::span<const fabric::Bytes> parts,
                             fabric::Urgency urgency) override {
    if (!isOpen)
      return fabric::SendResult::WouldBlock;
    events += 'S';
    return ForwardingTransport::trySend(to, channel, parts, urgency);
  }
  unsigned poll(fabric::ChannelSet channels, fabric::Receiver &receiver, unsigned most) override {
    events += 'P';
    return ForwardingTransport::poll(channels, receiver, most);
  }

  bool isOpen = false;
  std::string events;
};

/// Node 0 has four packets of bulk for node 1, which does not take them yet.
class MessengerWithBulk : public testing::Test {
protected:
  MessengerWithBulk() {
    sender.setHandler(kControl, [this](NodeId, fabric::Bytes) { gate.events += 'h'; });
    const std::vector<std::byte> body(60000);
    for (int i = 0; i < 4; ++i)
      sender.post(1, MessageKind::Put, {body});
    gate.isOpen = true;
  }
  fabric::LoopbackNetwork network{2};
  Gate gate{network.node(0)};
  Messenger sender{gate, {.spinMicroseconds = 0, .serviceThread = false}};
};

TEST_F(MessengerWithBulk, SendsOnePacketBetweenTwoPolls) {
  for (int i = 0; i < 4; ++i)
    sender.makeProgress();
  EXPECT_EQ(gate.events, "SPSPSPSP");
}

TEST_F(MessengerWithBulk, HandlesControlBeforeTheSecondPacket) {
  Messenger other(network.node(1), {.spinMicroseconds = 0, .serviceThread = false});
  other.post(0, kControl, {});
  other.flush();
  sender.makeProgress();
  // Who handles a message sends as much again, and no more.
  EXPECT_EQ(gate.events, "SPhS");
}

TEST_F(MessengerWithBulk, SendsAllThatAThreadFlushes) {
  sender.flush();
  EXPECT_EQ(gate.events, "SSSS");
}

} // namespace
} // namespace ompdsm::test
