// MessengerRoomTest.cpp: what threads wait for where the transport takes one message at a time.
#include "fabric/Loopback.h"
#include "protocol/engine/Messenger.h"
#include <gtest/gtest.h>
#include <thread>

namespace ompdsm::test {
namespace {

constexpr auto kSmall = MessageKind(40);

/// Node 1 takes nothing until it starts or polls.
struct NarrowPair {
  explicit NarrowPair(bool serviceThreads = true)
      : sender(network.node(0), {.spinMicroseconds = 0, .serviceThread = serviceThreads}),
        receiver(network.node(1), {.spinMicroseconds = 0, .serviceThread = serviceThreads}) {
    receiver.setHandler(kSmall, [](NodeId, fabric::Bytes) {});
    if (serviceThreads)
      sender.start();
  }
  ~NarrowPair() {
    sender.stop();
    receiver.stop();
  }
  /// As packets of their own.
  void post(int messages) {
    for (int i = 0; i < messages; ++i) {
      sender.post(1, kSmall, {});
      sender.flush();
    }
  }
  std::uint64_t sent() const { return sender.packets().packets; }

  fabric::LoopbackNetwork network{2, fabric::LoopbackLimits{.messages = 1}};
  Messenger sender, receiver;
};

TEST(MessengerRoom, WhoStopsDoesNotWaitForWhoTakesNothing) {
  NarrowPair pair;
  pair.post(3);
  pair.sender.stop();
  EXPECT_EQ(pair.sent(), 1u);
}

TEST(MessengerRoom, WhatIsDrainedHasLeft) {
  NarrowPair pair;
  pair.post(3);
  pair.receiver.start();
  pair.sender.drain(1);
  EXPECT_EQ(pair.sender.packets().bytes, 3 * Messenger::kHeaderBytes);
}

TEST(MessengerRoom, WhatTheTransportHasRefusedCanBeWaitedFor) {
  NarrowPair pair;
  pair.post(1);
  EXPECT_FALSE(pair.sender.isBlocked());
  pair.post(1);
  EXPECT_TRUE(pair.sender.isBlocked());
  pair.receiver.start();
  pair.sender.waitUntilTaken(1, kSmall);
  EXPECT_FALSE(pair.sender.isBlocked());
  EXPECT_EQ(pair.sent(), 2u);
}

TEST(MessengerRoom, WhatWaitsForCompanyDoesNotWaitForTheTransport) {
  NarrowPair pair;
  pair.sender.post(1, kSmall, {});
  pair.sender.waitUntilTaken(1, kSmall);
  EXPECT_EQ(pair.sent(), 0u);
}

TEST(MessengerRoom, WhatAnotherThreadSendsEndsTheWaitForTheTransport) {
  NarrowPair pair(/*serviceThreads=*/false);
  pair.post(2);
  EXPECT_TRUE(pair.sender.isBlocked());
  std::thread waiting([&] { pair.sender.waitUntilTaken(1, kSmall); });
  // Also right if the thread has not come to its wait by then; else it sleeps there.
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  while (pair.receiver.makeProgress()) {
  }
  const std::vector<std::byte> large(60000);
  pair.sender.post(1, kSmall, {large}); // sends what was refused before it
  EXPECT_FALSE(pair.sender.isBlocked());
  waiting.join();
}

} // namespace
} // namespace ompdsm::test
