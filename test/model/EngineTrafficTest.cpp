// EngineTrafficTest.cpp: the simulator sends what the engine sends: a program that both run costs
// as many messages of each kind, and as many bytes. What it reports for many nodes rests on that.
#include "protocol/sim/simulator/Simulation.h"
#include "protocol/sim/simulator/WireSizes.h"
#include "test/unit/Trio.h"
#include <algorithm>
#include <gtest/gtest.h>

namespace ompdsm::simulator {
namespace {

constexpr unsigned kBlockShift = 8, kAreaBytes = 4096;

MessageKind kindOf(Kind kind) {
  constexpr MessageKind kKinds[] = {
      MessageKind::Get,        MessageKind::Put,         MessageKind::Leave,
      MessageKind::Atomic,     MessageKind::AtomicPut,   MessageKind::Data,
      MessageKind::Invalidate, MessageKind::Update,      MessageKind::InvalidateAck,
      MessageKind::PutAck,     MessageKind::AtomicReply, MessageKind::BarrierArrive,
      MessageKind::BarrierGo,  MessageKind::BarrierDone};
  static_assert(unsigned(Kind::Runtime) == std::size(kKinds));
  return kKinds[unsigned(kind)];
}

/// One operation after the other, on the engines and for the simulator.
class Both {
public:
  Both() : trio_(options()) {
    program_.nodes = 3;
    Area area;
    area.blockShift = kBlockShift;
    program_.space = Space(3);
    program_.space.add(area, kAreaBytes);
    program_.space.finish();
    for (NodeId n = 0; n < 3; ++n)
      program_.threads.push_back({n, false, {}});
  }
  void read(unsigned node, std::uint32_t begin, std::uint32_t end) {
    turn(node);
    add(node, {Operation::CheckRead, 0, {begin, end}});
    thread(node).check(trio_.at(begin), end - begin, Access::Read);
  }
  void write(unsigned node, std::uint32_t begin, std::uint32_t end) {
    turn(node);
    add(node, {Operation::CheckWrite, 0, {begin, end}});
    add(node, {Operation::Store, 200, {begin, end}});
    thread(node).check(trio_.at(begin), end - begin, Access::Write);
    for (std::uint32_t byte = begin; byte < end; ++byte)
      thread(node).poke<std::uint8_t>(trio_.at(byte), storedByte(200, byte));
  }
  void overwrite(unsigned node, std::uint32_t begin, std::uint32_t end) {
    turn(node);
    add(node, {Operation::CheckOverwrite, 0, {begin, end}});
    add(node, {Operation::Store, 3, {begin, end}});
    thread(node).check(trio_.at(begin), end - begin, Access::Overwrite);
    for (std::uint32_t byte = begin; byte < end; ++byte)
      thread(node).poke<std::uint8_t>(trio_.at(byte), storedByte(3, byte));
  }
  void release(unsigned node) {
    turn(node);
    add(node, {Operation::Release});
    thread(node).release();
  }
  void atomicAdd(unsigned node, std::uint32_t byte) {
    turn(node);
    add(node, {Operation::AtomicAdd, 1, {byte, byte + 1}});
    thread(node).update(trio_.at(byte), 1);
  }
  void atomicLoad(unsigned node, std::uint32_t byte) {
    turn(node);
    add(node, {Operation::AtomicLoad, 0, {byte, byte + 1}});
    thread(node).atomicLoad(trio_.at(byte));
  }
  void barrier() {
    for (unsigned n = 0; n < 3; ++n)
      add(n, {Operation::Barrier});
    trio_.barrier();
  }
  /// Of each kind: "messages/bytes" of both, where they differ.
  std::string difference() {
    Scenario scenario;
    scenario.program = std::move(program_);
    scenario.network = namedNetworks().front();
    const Outcome outcome = Simulation(scenario, sim::Rules()).run();
    if (outcome.failure)
      return outcome.failure->text;
    std::string text;
    for (unsigned k = 0; k < unsigned(Kind::Runtime); ++k) {
      Traffic real;
      for (NodeId n = 0; n < 3; ++n) {
        const KindCounters &sent = trio_.cluster.messenger(n).counters(kindOf(Kind(k)));
        real.messages += sent.messages.load();
        real.bytes += sent.bytes.load();
      }
      const Traffic &simulated = outcome.statistics.traffic[k];
      if (real.messages != simulated.messages || !mayBeSame(Kind(k), real.bytes, simulated.bytes))
        text += std::string(nameOf(Kind(k))) + ": " + std::to_string(simulated.messages) + "/" +
                std::to_string(simulated.bytes) + " simulated, " + std::to_string(real.messages) +
                "/" + std::to_string(real.bytes) + " sent; ";
      total_ += real.messages;
    }
    return text;
  }
  std::uint64_t total() const { return total_; }

private:
  /// What comes of a Put is reported in the first half of a barrier where the Put came before its
  /// home had arrived, with what that has to say itself, else in the second half: once or twice.
  static bool mayBeSame(Kind kind, std::uint64_t real, std::uint64_t simulated) {
    const std::uint64_t difference = std::max(real, simulated) - std::min(real, simulated);
    return difference == 0 || (kind == Kind::Done && difference == wire::kSent);
  }
  static test::ClusterOptions options() {
    test::ClusterOptions options = test::Trio::threeNodes();
    options.areas = {{0, kAreaBytes, 0, kBlockShift, false}};
    options.prefetchBlocks = 0;
    options.pushUpdates = options.dropUnread = false; // the simulator's predictions are the seed's
    return options;
  }
  test::NodeThread &thread(unsigned node) {
    return node == 0 ? trio_.home : node == 1 ? trio_.one : trio_.two;
  }
  void add(unsigned node, Operation operation) {
    program_.threads[node].operations.push_back(operation);
  }
  /// In the simulation, `node` goes on when the last one is done.
  void turn(unsigned node) {
    if (last_ == node)
      return;
    const auto flag = std::uint32_t(program_.flagReaders.size());
    program_.flagReaders.push_back({NodeId(node)});
    add(last_, {Operation::Post, 0, {}, flag});
    thread(last_).release();
    add(node, {Operation::Await, 0, {}, flag});
    thread(node).syncPoint();
    last_ = node;
  }

  test::Trio trio_;
  Program program_;
  unsigned last_ = 0;
  std::uint64_t total_ = 0;
};

TEST(EngineTraffic, IsWhatIsSimulated) {
  Both both;
  both.read(1, 0, 1024);
  both.read(2, 256, 512);
  both.read(2, 768, 1100);
  both.write(1, 0, 8);
  both.write(1, 300, 340);   // two lines
  both.write(1, 1020, 1030); // two blocks
  both.release(1);
  both.write(0, 770, 771);
  both.release(0);
  both.atomicAdd(2, 512);
  both.atomicAdd(2, 512);
  both.atomicLoad(2, 512);
  both.read(2, 0, 4096);
  both.write(2, 2048, 4096);
  both.write(1, 3000, 3008);
  both.barrier();
  both.read(0, 0, 4096);
  both.write(0, 0, 4096);
  both.barrier();
  both.read(1, 0, 4096);
  both.overwrite(2, 100, 1200);
  both.write(2, 1300, 1310);
  both.release(2);
  both.read(1, 0, 2048);
  EXPECT_EQ(both.difference(), "");
  EXPECT_GT(both.total(), 40u);
}

TEST(EngineTraffic, AMessageHoldsAsMuch) {
  EXPECT_EQ(wire::kMaxBody, Messenger::kMaxBodyBytes);
  EXPECT_EQ(wire::kHeader, Messenger::kHeaderBytes);
}

} // namespace
} // namespace ompdsm::simulator
