// PingPong.cpp: fabric-pingpong, what a message costs: half round trips spinning and sleeping, the
// cost of trySend, and the rate of a stream. `fabric-pingpong [transport]...`; numbers are of this
// machine at this moment, so nothing here passes or fails by them.
#include "NodeRunner.h"
#include "Timing.h"
#include <cstdio>

using namespace ompdsm;
using namespace ompdsm::test;
using namespace ompdsm::fabric;

namespace {

struct Counter final : Receiver {
  void onMessage(NodeId, Channel, Bytes) override { ++count; }
  unsigned count = 0;
};

void send(Node &node, Counter &counter, Channel channel, Bytes message) {
  auto to = static_cast<NodeId>(1 - node.self);
  while (node.transport.trySend(to, channel, std::span(&message, 1)) != SendResult::Sent)
    node.transport.poll(kAllChannels, counter, 64);
}

void await(Node &node, Counter &counter, unsigned count, bool sleeps) {
  while (counter.count < count) {
    if (node.transport.poll(kAllChannels, counter, 64) != 0 || counter.count >= count)
      continue;
    if (sleeps)
      node.transport.sleep(std::chrono::seconds(5));
    else
      __builtin_ia32_pause();
  }
}

std::string pingPong(Node &node) {
  std::vector<std::byte> message(kMaxMessageBytes);
  for (bool sleeps : {false, true})
    for (std::size_t bytes : {std::size_t(8), std::size_t(1024), std::size_t(4096),
                              std::size_t(16384), std::size_t(65536)}) {
      unsigned rounds = sleeps ? 1000 : 5000, warm = rounds / 10;
      Counter counter;
      std::vector<double> half, sendCost;
      if (!node.meet())
        return "the other node failed";
      for (unsigned round = 1; round <= rounds + warm; ++round) {
        Clock::time_point start = Clock::now();
        if (node.self == 0) {
          send(node, counter, Channel::Request, {message.data(), bytes});
          double sent = microsecondsSince(start);
          await(node, counter, round, sleeps);
          if (round > warm) {
            half.push_back(microsecondsSince(start) / 2);
            sendCost.push_back(sent);
          }
        } else {
          await(node, counter, round, sleeps);
          send(node, counter, Channel::Reply, {message.data(), bytes});
        }
      }
      if (node.self == 0)
        std::printf(
            "%-18s %-5s %6zu B: half round trip p50 %7.2f p90 %7.2f us, trySend p50 %6.2f us\n",
            std::string(node.transport.name()).c_str(), sleeps ? "sleep" : "spin", bytes,
            percentile(half, .5), percentile(half, .9), percentile(sendCost, .5));
    }
  for (std::size_t bytes : {std::size_t(64), std::size_t(65536)}) {
    unsigned messages = bytes > 1000 ? 20000 : 200000;
    Counter counter;
    if (!node.meet())
      return "the other node failed";
    Clock::time_point start = Clock::now();
    if (node.self == 0) {
      for (unsigned i = 0; i < messages; ++i)
        send(node, counter, Channel::Request, {message.data(), bytes});
      await(node, counter, 1, false);
      double time = microsecondsSince(start);
      std::printf("%-18s stream of %zu B: %.0f MB/s, %.2f us each\n",
                  std::string(node.transport.name()).c_str(), bytes,
                  static_cast<double>(bytes) * messages / time, time / messages);
    } else {
      await(node, counter, messages, false);
      send(node, counter, Channel::Reply, {message.data(), 8});
    }
  }
  std::fflush(stdout);
  // TCP providers send only while somebody is inside them.
  for (int i = 0; i < 100; ++i) {
    Counter counter;
    node.transport.poll(kAllChannels, counter, 64);
  }
  node.meet();
  return "";
}

const RegisteredScenario registered("pingpong", pingPong);

} // namespace

int main(int argc, char **argv) {
  runAsNodeIfAsked(argc, argv);
  return measureOnTransports("fabric-pingpong", "pingpong", {argv + 1, argv + argc},
                             {"shm", "net", "tcp;ofi_rxm"});
}
