// Misses.cpp: protocol-misses, what a remote miss takes against the provider's own ping-pong: node
// 1 reads blocks of 64 B to 64 KiB that node 0, their home, has written in the interval before,
// each by itself, while node 0 waits in a barrier ("attended") or computes. The provider sends a
// request of 64 B and an answer as large as the block ("asked"), or messages as large as the block
// both ways ("mirrored"). `protocol-misses [--rounds <n>] [transport]...`; numbers are of this
// machine at this moment, but contents are checked.
#include "bench/micro/RawProvider.h"
#include "bench/micro/TwoNodeEngine.h"
#include "test/fabric/Timing.h"
#include <cstdio>
#include <cstring>

using namespace ompdsm;
using namespace ompdsm::bench;
using namespace ompdsm::test;

namespace {

constexpr unsigned kShifts[] = {6, 8, 10, 12, 14, 16};
constexpr std::size_t kRequestBytes = 64, kMostBytes = 64 * 1024;

enum class Home : bool { Attends, Computes };

class Measurement {
public:
  Measurement(Node &node, TwoNodeEngine &engine, RawProvider &raw)
      : node_(node), engine_(engine), raw_(raw) {}

  /// Node 1 adds one time for each round trip.
  void pingPong(std::size_t there, std::size_t back, std::vector<double> &times) {
    for (std::size_t i = 0; i < TwoNodeEngine::kBlocks; ++i)
      if (node_.self == 0) {
        raw_.rewrite(back);
        raw_.send(1); // ready
        raw_.receive();
        raw_.send(back);
      } else {
        raw_.rewrite(there);
        raw_.receive();
        const Clock::time_point start = Clock::now();
        raw_.send(there);
        raw_.receive();
        times.push_back(microsecondsSince(start));
      }
  }

  /// Node 1 adds one time for each block; false if it read what was not written.
  bool miss(unsigned shift, Home home, std::vector<double> &times) {
    ++round_;
    if (node_.self == 0)
      for (std::size_t i = 0; i < TwoNodeEngine::kBlocks; ++i)
        write(engine_.blockAt(shift, i), std::size_t(1) << shift);
    std::atomic<std::uint64_t> &missesDone = node_.area.counters[0];
    engine_.barrier();
    bool isRight = true;
    if (node_.self == 1) {
      for (std::size_t i = 0; i < TwoNodeEngine::kBlocks; ++i)
        isRight = read(engine_.blockAt(shift, i), std::size_t(1) << shift, times) && isRight;
      missesDone.store(round_);
    } else if (home == Home::Computes) {
      while (missesDone.load(std::memory_order_relaxed) != round_)
        for (int i = 0; i < 1000; ++i)
          computed_ = computed_ * 6364136223846793005u + 1;
    }
    engine_.barrier();
    return isRight;
  }

private:
  void write(Address block, std::size_t bytes) {
    engine_.engine().ensure(block, bytes, Access::Write);
    auto *words = reinterpret_cast<std::uint64_t *>(block);
    words[0] = round_;
    words[bytes / sizeof(*words) - 1] = round_ + block;
  }
  bool read(Address block, std::size_t bytes, std::vector<double> &times) {
    const Clock::time_point start = Clock::now();
    engine_.engine().ensure(block, bytes, Access::Read, FetchAhead::No);
    times.push_back(microsecondsSince(start));
    const auto *words = reinterpret_cast<const std::uint64_t *>(block);
    return words[0] == round_ && words[bytes / sizeof(*words) - 1] == round_ + block;
  }

  Node &node_;
  TwoNodeEngine &engine_;
  RawProvider &raw_;
  std::uint64_t round_ = 0;
  volatile std::uint64_t computed_ = 1;
};

/// arguments: the name of the raw provider, and how often each size is measured.
std::string misses(Node &node) {
  RawProvider raw;
  if (std::string reason = raw.open(node, node.arguments.at(0), kMostBytes); !reason.empty())
    return reason;
  TwoNodeEngine engine(node.transport);
  Measurement measurement(node, engine, raw);
  const unsigned rounds = static_cast<unsigned>(std::stoul(node.arguments.at(1)));
  engine.barrier();
  for (unsigned shift : kShifts) {
    const std::size_t bytes = std::size_t(1) << shift;
    std::vector<double> asked, mirrored, attended, computed, warm;
    bool isRight = measurement.miss(shift, Home::Attends, warm);
    for (unsigned round = 0; round < rounds; ++round) {
      if (!node.meet())
        return "the other node failed";
      measurement.pingPong(kRequestBytes, bytes, asked);
      measurement.pingPong(bytes, bytes, mirrored);
      isRight = measurement.miss(shift, Home::Attends, attended) && isRight;
      isRight = measurement.miss(shift, Home::Computes, computed) && isRight;
    }
    if (!isRight)
      return "a miss of " + std::to_string(bytes) + " bytes brought old contents";
    if (node.self == 0)
      continue;
    const double best = percentile(asked, .5), miss = percentile(attended, .5);
    std::printf("%-9s %6zu B: asked %6.2f mirrored %6.2f us; miss attended %6.2f (p90 %6.2f) us, "
                "%.2f of asked, %.2f of mirrored; computing %6.2f (p90 %6.2f) us\n",
                std::string(node.transport.name()).c_str(), bytes, best, percentile(mirrored, .5),
                miss, percentile(attended, .9), miss / best, miss / percentile(mirrored, .5),
                percentile(computed, .5), percentile(computed, .9));
    std::fflush(stdout);
  }
  return node.meet() ? "" : "the other node failed";
}

const RegisteredScenario registered("misses", misses);

} // namespace

int main(int argc, char **argv) {
  runAsNodeIfAsked(argc, argv);
  std::vector<std::string> words(argv + 1, argv + argc);
  std::string rounds = "20";
  if (words.size() >= 2 && words[0] == "--rounds") {
    rounds = words[1];
    words.erase(words.begin(), words.begin() + 2);
  }
  if (words.empty())
    words = {"shm", "net"};
  int result = 0;
  for (const std::string &transport : words) {
    Setting setting;
    setting.transport = transport;
    setting.processes = true;
    std::string reason = runNodes(setting, 2, "misses", {transport, rounds});
    if (!reason.empty()) {
      std::fprintf(stderr, "protocol-misses: %s: %s\n", transport.c_str(), reason.c_str());
      result = 1;
    }
  }
  return result;
}
