// DecoratorTest.cpp: buffer pool, loopback bounds, option strings, fault injection and traces.
#include "fabric/BufferPool.h"
#include "fabric/Fault.h"
#include "fabric/Loopback.h"
#include "fabric/Trace.h"
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace ompdsm::fabric {

namespace {

/// Remembers first bytes in the order of arrival.
struct Log final : Receiver {
  void onMessage(NodeId, Channel, Bytes message) override { seen.push_back(int(message[0])); }
  std::vector<int> seen;
};

SendResult send(Transport &transport, NodeId to, Channel channel, int value,
                std::size_t bytes = 1) {
  std::vector<std::byte> message(bytes, std::byte(value));
  Bytes part = message;
  return transport.trySend(to, channel, std::span(&part, 1));
}

TEST(BufferPool, GivesOutAtMostItsBound) {
  BufferPool pool(2);
  std::byte *first = pool.acquire();
  std::byte *second = pool.acquire();
  ASSERT_NE(first, nullptr);
  ASSERT_NE(second, nullptr);
  std::memset(second, 1, pool.bufferBytes());
  EXPECT_GE(pool.bufferBytes(), kMaxMessageBytes);
  EXPECT_EQ(pool.acquire(), nullptr);
  pool.release(second);
  EXPECT_EQ(pool.acquire(), second);
  EXPECT_EQ(pool.inUse(), 2u);
  pool.release(first);
  pool.release(second);
}

TEST(BufferPoolDeathTest, NoticesABufferThatIsReleasedTwice) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        BufferPool pool(2);
        std::byte *buffer = pool.acquire();
        pool.release(buffer);
        pool.release(buffer);
      },
      "check");
}

TEST(Loopback, RefusesWhatIsBeyondItsLimits) {
  LoopbackNetwork network(2, {.messages = 3, .bytes = 1000});
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(send(network.node(0), 1, Channel::Request, i), SendResult::Sent);
  EXPECT_EQ(send(network.node(0), 1, Channel::Request, 3), SendResult::WouldBlock);
  EXPECT_EQ(send(network.node(0), 1, Channel::Reply, 4, 1000), SendResult::Sent);
  EXPECT_EQ(send(network.node(0), 1, Channel::Reply, 5), SendResult::WouldBlock);
  EXPECT_EQ(send(network.node(0), 1, Channel::Control, 6), SendResult::Sent);
  EXPECT_EQ(network.undelivered(), 5u);
  Log log;
  EXPECT_EQ(network.node(1).poll(kAllChannels, log, 100), 5u);
  EXPECT_EQ(log.seen, (std::vector<int>{6, 0, 1, 2, 4}));
}

TEST(Loopback, AChannelThatIsNotPolledDoesNotDisturbSleep) {
  LoopbackNetwork network(2);
  Log log;
  network.node(1).poll(channelBit(Channel::Reply), log, 10);
  send(network.node(0), 1, Channel::Request, 1);
  // Were the message a reason to return, this would return at once both times; waking would not be
  // needed. It is: the wake-up of the other thread's wake() is what ends the sleep.
  auto start = std::chrono::steady_clock::now();
  network.node(1).sleep(std::chrono::milliseconds(20));
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(20));
  EXPECT_EQ(network.node(1).poll(kAllChannels, log, 10), 1u);
}

TEST(FaultOptions, ReadsWhatIsWritten) {
  FaultOptions options;
  ASSERT_TRUE(
      FaultOptions::parse("delay=5..500us,block=0.25,seed=9,order=relaxed", options).isOk());
  EXPECT_EQ(options.delayMin.count(), 5);
  EXPECT_EQ(options.delayMax.count(), 500);
  EXPECT_EQ(options.blockProbability, 0.25);
  EXPECT_EQ(options.seed, 9u);
  EXPECT_FALSE(options.keepsOrder);
  ASSERT_TRUE(FaultOptions::parse("delay=7us,order=kept", options).isOk());
  EXPECT_EQ(options.delayMin.count(), 7);
  EXPECT_EQ(options.delayMax.count(), 7);
  EXPECT_TRUE(options.keepsOrder);
}

TEST(FaultOptions, QuotesWhatItCannotUseAndChangesNothing) {
  for (const char *text : {"delay=5", "delay=9..5us", "block=1", "block=-1", "seed=x", "order=odd",
                           "speed=9", "seed=4,delay"}) {
    FaultOptions options;
    Status status = FaultOptions::parse(text, options);
    ASSERT_FALSE(status.isOk()) << text;
    EXPECT_NE(status.message().find("known are delay="), std::string::npos) << status.message();
    EXPECT_EQ(options.seed, 1u);
  }
}

TEST(Fault, HoldsAMessageUntilItIsDueAndEndsASleepThen) {
  LoopbackNetwork network(2);
  FaultOptions options;
  options.delayMin = options.delayMax = std::chrono::milliseconds(30);
  FaultTransport slow(network.node(1), options);
  auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(send(network.node(0), 1, Channel::Control, 1), SendResult::Sent);
  Log log;
  while (log.seen.empty()) {
    slow.poll(kAllChannels, log, 10);
    if (log.seen.empty())
      slow.sleep(std::chrono::seconds(20));
  }
  auto took = std::chrono::steady_clock::now() - start;
  EXPECT_GE(took, std::chrono::milliseconds(30));
  EXPECT_LT(took, std::chrono::seconds(20));
}

TEST(Fault, IsTheSameForTheSameSeed) {
  auto refusals = [](std::uint64_t seed) {
    LoopbackNetwork network(2);
    FaultOptions options;
    options.blockProbability = 0.5;
    options.seed = seed;
    FaultTransport moody(network.node(0), options);
    std::vector<bool> result;
    for (int i = 0; i < 64; ++i)
      result.push_back(send(moody, 1, Channel::Reply, i) == SendResult::WouldBlock);
    return result;
  };
  EXPECT_EQ(refusals(1), refusals(1));
  EXPECT_NE(refusals(1), refusals(2));
}

TEST(Fault, StopsTakingMessagesWhenItHoldsMany) {
  LoopbackNetwork network(2, {.messages = 10000, .bytes = 1 << 20});
  FaultOptions options;
  options.delayMin = options.delayMax = std::chrono::hours(1);
  FaultTransport slow(network.node(1), options);
  Log log;
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ(send(network.node(0), 1, Channel::Reply, i), SendResult::Sent);
  for (int i = 0; i < 100; ++i)
    slow.poll(kAllChannels, log, 100);
  EXPECT_EQ(network.undelivered(), 1000 - FaultTransport::kMaxHeld);
  EXPECT_TRUE(log.seen.empty());
}

TEST(Trace, WritesTheLatestMessagesOldestFirst) {
  std::string file = testing::TempDir() + "fabric-trace-" + std::to_string(getpid()) + ".%n.jsonl";
  std::string written = file;
  written.replace(written.find("%n"), 2, "1");
  {
    LoopbackNetwork network(2);
    TraceOptions options;
    ASSERT_TRUE(TraceOptions::parse("file=" + file + ",entries=3", options).isOk());
    TraceTransport traced(network.node(1), options);
    Log log;
    for (int i = 1; i <= 3; ++i)
      send(network.node(0), 1, Channel::Request, i, 10);
    traced.poll(kAllChannels, log, 10);
    send(traced, 0, Channel::Reply, 0xab, 2);
  }
  std::ifstream in(written);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);)
    lines.push_back(line.substr(line.find("\"node\"")));
  std::filesystem::remove(written);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], "\"node\":1,\"direction\":\"receive\",\"peer\":0,\"channel\":\"request\","
                      "\"bytes\":10,\"first\":\"0202020202020202\"}");
  EXPECT_EQ(lines[2], "\"node\":1,\"direction\":\"send\",\"peer\":0,\"channel\":\"reply\","
                      "\"bytes\":2,\"first\":\"abab\"}");
}

TEST(TraceOptions, WantsAFileAndABound) {
  TraceOptions options;
  EXPECT_FALSE(TraceOptions::parse("entries=5", options).isOk());
  EXPECT_FALSE(TraceOptions::parse("file=x,entries=0", options).isOk());
  EXPECT_FALSE(TraceOptions::parse("file=", options).isOk());
}

TEST(Trace, SaysWhenTheFileCannotBeWritten) {
  LoopbackNetwork network(1);
  TraceTransport traced(network.node(0), {.file = "/nonexistent/trace", .entries = 1});
  Status status = traced.write();
  ASSERT_FALSE(status.isOk());
  EXPECT_NE(status.message().find("/nonexistent/trace"), std::string::npos);
}

} // namespace

} // namespace ompdsm::fabric
