// Priority.cpp: fabric-priority, what bulk costs control: round trips of 8 bytes on Control between
// two nodes that spin, alone and while pieces of 64 KiB go between the same two without a pause
// (50 MB and more in each turn), one way, the other way and both. `fabric-priority
// [transport]...`; numbers are of this machine at this moment, so nothing here passes or fails by
// them.
#include "NodeRunner.h"
#include "Timing.h"
#include "fabric/Check.h"
#include <cstdio>

using namespace ompdsm;
using namespace ompdsm::test;
using namespace ompdsm::fabric;

namespace {

constexpr std::size_t kPieceBytes = 64 * 1024;

/// What flows beside control: as a release of node 0 whose home is node 1, as contents that node 1
/// sends, or both.
struct Load {
  const char *name;
  bool there, back;
};
constexpr Load kLoads[] = {
    {"idle", false, false}, {"there", true, false}, {"back", false, true}, {"both", true, true}};
/// The loads take turns.
constexpr unsigned kTurns = 5, kRoundsPerTurn = 1000, kWarm = 100;

class Talker final : public Receiver {
public:
  explicit Talker(Node &node)
      : node_(node), other_(static_cast<NodeId>(1 - node.self)), piece_(kPieceBytes) {}

  void onMessage(NodeId, Channel channel, Bytes message) override {
    if (channel != Channel::Control)
      bulkBytes += message.size();
    else if (node_.self == 0)
      ++answers;
    else
      sendControl();
  }
  void sendControl() {
    const std::byte word[8]{};
    const Bytes part = word;
    OMPDSM_CHECK(node_.transport.trySend(other_, Channel::Control, {&part, 1}) == SendResult::Sent);
  }
  /// One piece of a burst, if the transport takes it: who polls and sends bulk polls between two
  /// pieces (protocol/engine/Messenger.h).
  void sendBulk(Channel channel) {
    const Bytes part = piece_;
    (void)node_.transport.trySend(other_, channel, {&part, 1});
  }
  void step(const Load &load) {
    if (node_.self == 0 ? load.there : load.back)
      sendBulk(node_.self == 0 ? Channel::Request : Channel::Reply);
    if (node_.transport.poll(kAllChannels, *this, 16) == 0)
      __builtin_ia32_pause();
  }

  unsigned answers = 0;
  std::size_t bulkBytes = 0;

private:
  Node &node_;
  const NodeId other_;
  const std::vector<std::byte> piece_;
};

/// One turn of one load; round trips in microseconds at node 0, and the bytes of bulk per
/// microsecond that this node got.
double talk(Node &node, Talker &talker, const Load &load, std::atomic<std::uint64_t> &turnsDone,
            std::vector<double> &roundTrips) {
  const std::uint64_t done = turnsDone.load();
  const std::size_t before = talker.bulkBytes;
  const Clock::time_point begin = Clock::now();
  if (node.self == 1)
    while (turnsDone.load() == done && !node.area.hasFailed())
      talker.step(load);
  for (unsigned round = 0; node.self == 0 && round < kRoundsPerTurn + kWarm; ++round) {
    const Clock::time_point start = Clock::now();
    const unsigned answers = talker.answers;
    talker.sendControl();
    while (talker.answers == answers)
      talker.step(load);
    if (round >= kWarm)
      roundTrips.push_back(microsecondsSince(start));
  }
  if (node.self == 0)
    turnsDone.fetch_add(1);
  return double(talker.bulkBytes - before) / microsecondsSince(begin);
}

std::string priority(Node &node) {
  Talker talker(node);
  std::vector<double> roundTrips[std::size(kLoads)], rates[std::size(kLoads)];
  for (unsigned turn = 0; turn < kTurns; ++turn)
    for (std::size_t i = 0; i < std::size(kLoads); ++i) {
      std::uint32_t ticket = node.area.arrive(node.nodes);
      while (!node.area.hasPassed(ticket)) { // and so that nothing is left of the turn before
        node.transport.poll(kAllChannels, talker, 16);
        if (node.area.hasFailed())
          return "the other node failed";
      }
      rates[i].push_back(talk(node, talker, kLoads[i], node.area.counters[0], roundTrips[i]));
    }
  // Node 1 knows what came "there".
  for (std::size_t i = 0; i < std::size(kLoads); ++i)
    node.area.counters[1 + 2 * i + node.self].store(
        static_cast<std::uint64_t>(percentile(rates[i], .5)));
  if (!node.meet())
    return "the other node failed";
  const double idle = node.self == 0 ? percentile(roundTrips[0], .5) : 0;
  for (std::size_t i = 0; node.self == 0 && i < std::size(kLoads); ++i)
    std::printf(
        "%-12s %-5s: round trip of 8 B p50 %7.2f p99 %8.2f us, %5.2f times idle, bulk there "
        "%llu back %llu MB/s\n",
        std::string(node.transport.name()).c_str(), kLoads[i].name, percentile(roundTrips[i], .5),
        percentile(roundTrips[i], .99), percentile(roundTrips[i], .5) / idle,
        static_cast<unsigned long long>(node.area.counters[2 + 2 * i].load()),
        static_cast<unsigned long long>(node.area.counters[1 + 2 * i].load()));
  std::fflush(stdout);
  return "";
}

const RegisteredScenario registered("priority", priority);

} // namespace

int main(int argc, char **argv) {
  runAsNodeIfAsked(argc, argv);
  return measureOnTransports("fabric-priority", "priority", {argv + 1, argv + argc},
                             {"net", "shm"});
}
