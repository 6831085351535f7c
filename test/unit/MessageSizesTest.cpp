// MessageSizesTest.cpp: a messenger counts the packets that it sends by size.
#include "fabric/Loopback.h"
#include "protocol/engine/Messenger.h"
#include <gtest/gtest.h>

using namespace ompdsm;

TEST(MessageSizes, ABucketReachesFromAPowerOfTwoToTheNext) {
  SizeHistogram sizes;
  for (std::size_t bytes : {1, 63, 64, 127, 128})
    sizes.add(bytes);
  sizes.add(fabric::kMaxMessageBytes);
  EXPECT_EQ(sizes.count(0), 1u);
  EXPECT_EQ(sizes.count(5), 1u);
  EXPECT_EQ(sizes.count(6), 2u);
  EXPECT_EQ(sizes.count(7), 1u);
  EXPECT_EQ(sizes.count(SizeHistogram::kBuckets - 1), 1u);
}

// Small limits, so that some messages leave at once and others from the queue.
TEST(MessageSizes, EveryPacketThatLeavesIsCountedOnce) {
  fabric::LoopbackNetwork network(2, {.messages = 2});
  MessengerOptions options;
  options.serviceThread = false;
  Messenger sender(network.node(0), options), receiver(network.node(1), options);
  unsigned received = 0;
  receiver.setHandler(MessageKind::Put, [&](NodeId, fabric::Bytes) { ++received; });
  const std::vector<std::byte> body(1000 - Messenger::kHeaderBytes);
  for (int i = 0; i < 7; ++i)
    sender.post(1, MessageKind::Put, {body});
  sender.post(1, MessageKind::Put, {});
  for (int i = 0; received < 8 && i < 100; ++i) {
    receiver.makeProgress();
    sender.flush();
  }
  ASSERT_EQ(received, 8u);
  std::uint64_t packets = 0;
  for (unsigned bucket = 0; bucket < SizeHistogram::kBuckets; ++bucket) {
    packets += sender.sizes().count(bucket);
    EXPECT_EQ(receiver.sizes().count(bucket), 0u);
  }
  EXPECT_EQ(packets, sender.packets().packets);
  EXPECT_GE(packets, 1u);
}
