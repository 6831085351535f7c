#include "protocol/sim/simulator/Costs.h"
#include <cstdio>
#include <cstdlib>

namespace ompdsm::simulator {

namespace {

constexpr std::uint32_t kPieceBytes = 1024;

/// One thread on each node; operations are added to one after the other.
class Threads {
public:
  Threads(unsigned nodes, std::uint32_t bytesPerNode, bool spread) {
    program_.nodes = nodes;
    Space space(nodes);
    Area area;
    area.blockShift = 9;
    area.spread = spread;
    area.migratable = spread;
    space.add(area, nodes * bytesPerNode);
    space.finish();
    program_.space = std::move(space);
    for (unsigned n = 0; n < nodes; ++n)
      program_.threads.push_back({NodeId(n), false, {}});
  }
  std::uint32_t base() const { return program_.space.areas()[0].range.begin; }
  unsigned nodes() const { return program_.nodes; }
  void read(unsigned node, Range range) {
    add(node, {Operation::CheckRead, 0, range});
    add(node, {Operation::Load, 0, range});
  }
  void write(unsigned node, Range range, unsigned value) {
    add(node, {Operation::CheckWrite, 0, range});
    add(node, {Operation::Store, std::uint8_t(value % 8), range});
  }
  void add(unsigned node, Operation operation) {
    program_.threads[node].operations.push_back(operation);
  }
  void barrier() {
    for (unsigned n = 0; n < nodes(); ++n)
      add(n, {Operation::Barrier});
  }
  /// Each node signals to the one so many further.
  void signalAll(unsigned distance) {
    const auto first = std::uint32_t(program_.flagReaders.size());
    for (unsigned n = 0; n < nodes(); ++n) {
      program_.flagReaders.push_back({NodeId((n + distance) % nodes())});
      add(n, {Operation::Post, 0, {}, first + n});
    }
    for (unsigned n = 0; n < nodes(); ++n)
      add((n + distance) % nodes(), {Operation::Await, 0, {}, first + n});
  }
  Program take() { return std::move(program_); }

private:
  Program program_;
};

Program barriers(unsigned nodes, unsigned rounds) {
  Threads all(nodes, 64, true);
  for (unsigned i = 0; i < rounds; ++i)
    all.barrier();
  return all.take();
}

/// Each node writes a page of its own, then reads the edges of its neighbours'.
Program stencil(unsigned nodes, unsigned rounds) {
  Threads all(nodes, kPageBytes, true);
  const auto edge = [&](unsigned node, std::uint32_t at) {
    const std::uint32_t begin = all.base() + node * kPageBytes + at;
    return Range{begin, begin + 512};
  };
  for (unsigned i = 0; i < rounds; ++i) {
    for (unsigned n = 0; n < nodes; ++n)
      all.write(n, {edge(n, 0).begin, edge(n, 0).begin + kPageBytes}, i + 1);
    all.barrier();
    for (unsigned n = 0; n < nodes; ++n) {
      if (n > 0)
        all.read(n, edge(n - 1, kPageBytes - 512));
      if (n + 1 < nodes)
        all.read(n, edge(n + 1, 0));
    }
    all.barrier();
  }
  return all.take();
}

/// Each node writes its row of an array of 64 bytes for each pair, and reads its column.
Program transposition(unsigned nodes, unsigned rounds) {
  const std::uint32_t cell = 64, row = (nodes * cell + kPageBytes - 1) / kPageBytes * kPageBytes;
  Threads all(nodes, row, true);
  for (unsigned i = 0; i < rounds; ++i) {
    for (unsigned n = 0; n < nodes; ++n)
      all.write(n, {all.base() + n * row, all.base() + n * row + nodes * cell}, i + 1);
    all.barrier();
    for (unsigned n = 0; n < nodes; ++n)
      for (unsigned other = 0; other < nodes; ++other)
        all.read(n,
                 {all.base() + other * row + n * cell, all.base() + other * row + (n + 1) * cell});
    all.barrier();
  }
  return all.take();
}

/// Each node writes eight bytes next to each other's; node 0 reads all and writes the result.
Program reduction(unsigned nodes, unsigned rounds) {
  Threads all(nodes, 16, false);
  const std::uint32_t result = all.base() + nodes * 8;
  for (unsigned i = 0; i < rounds; ++i) {
    for (unsigned n = 0; n < nodes; ++n)
      all.write(n, {all.base() + n * 8, all.base() + n * 8 + 8}, i + 1);
    all.barrier();
    all.read(0, {all.base(), result});
    all.write(0, {result, result + 8}, i + 1);
    all.barrier();
    for (unsigned n = 0; n < nodes; ++n)
      all.read(n, {result, result + 8});
    all.barrier();
  }
  return all.take();
}

/// Node 0 writes a page, all read it.
Program broadcast(unsigned nodes, unsigned rounds) {
  Threads all(nodes, kPageBytes, false);
  const Range page{all.base(), all.base() + kPageBytes};
  for (unsigned i = 0; i < rounds; ++i) {
    all.write(0, page, i + 1);
    all.barrier();
    for (unsigned n = 0; n < nodes; ++n)
      all.read(n, page);
    all.barrier();
  }
  return all.take();
}

/// All nodes write eight bytes each, in the same blocks.
Program falseSharing(unsigned nodes, unsigned rounds) {
  Threads all(nodes, 8, false);
  for (unsigned i = 0; i < rounds; ++i) {
    for (unsigned n = 0; n < nodes; ++n)
      all.write(n, {all.base() + n * 8, all.base() + n * 8 + 8}, i + 1);
    all.barrier();
  }
  return all.take();
}

/// A kibibyte goes from node to node, each of which changes it, under one lock.
Program migratory(unsigned nodes, unsigned rounds) {
  Threads all(nodes, kPieceBytes, false);
  const Range piece{all.base(), all.base() + kPieceBytes};
  for (unsigned i = 0; i < rounds; ++i)
    for (unsigned n = 0; n < nodes; ++n) {
      all.add(n, {Operation::Lock});
      all.read(n, piece);
      all.write(n, piece, i + n + 1);
      all.add(n, {Operation::Unlock});
    }
  return all.take();
}

/// Each node writes a kibibyte for the next, and sets a flag.
Program producerConsumer(unsigned nodes, unsigned rounds) {
  Threads all(nodes, kPageBytes, true);
  const auto piece = [&](unsigned node) {
    const std::uint32_t begin = all.base() + node * kPageBytes;
    return Range{begin, begin + kPieceBytes};
  };
  for (unsigned i = 0; i < rounds; ++i) {
    for (unsigned n = 0; n < nodes; ++n)
      all.write(n, piece(n), i + 1);
    all.signalAll(1);
    for (unsigned n = 0; n < nodes; ++n)
      all.read((n + 1) % nodes, piece(n));
    all.signalAll(nodes - 1); // before it is written again
  }
  return all.take();
}

Statistics statisticsOf(const Pattern &pattern, unsigned nodes, unsigned rounds,
                        const Network &network) {
  Scenario scenario;
  scenario.program = pattern.write(nodes, rounds);
  scenario.network = network;
  scenario.pushOneIn = pattern.pushes;
  const Outcome outcome = Simulation(scenario, sim::Rules()).run();
  if (outcome.failure) {
    std::fprintf(stderr, "ompdsm-simulate: %s on %u nodes fails: %s\n", pattern.name, nodes,
                 outcome.failure->text.c_str());
    std::exit(1);
  }
  return outcome.statistics;
}

} // namespace

const std::vector<Pattern> &patterns() {
  static const std::vector<Pattern> all = {
      {"barrier", "nothing else", 2, 1024, barriers},
      {"stencil", "own page written, neighbours' edges read; two barriers", 4, 1024, stencil},
      {"transposition", "64 bytes for each pair of nodes; two barriers", 4, 128, transposition},
      {"reduction", "8 bytes of each node, added by node 0, read by all; three barriers", 3, 512,
       reduction},
      {"broadcast", "a page of node 0, read by all; two barriers", 3, 512, broadcast},
      {"pushed broadcast", "the same, sent unasked", 3, 512, broadcast, /*pushes=*/true},
      {"false sharing", "8 bytes of each node in the same blocks; a barrier", 3, 512, falseSharing},
      {"migratory", "1 KiB under one lock, changed by each node in turn", 3, 512, migratory},
      {"producer-consumer", "1 KiB for the next node, by flags", 4, 1024, producerConsumer},
  };
  return all;
}

Cost costOf(const Pattern &pattern, unsigned nodes, const Network &network) {
  // What the first round costs more, and the start and the end, is the difference's.
  const Statistics one = statisticsOf(pattern, nodes, 1, network);
  const Statistics more = statisticsOf(pattern, nodes, pattern.rounds, network);
  const double rounds = pattern.rounds - 1;
  const Traffic first = one.total(), all = more.total();
  return {double(all.messages - first.messages) / rounds / nodes,
          double(all.bytes - first.bytes) / rounds / nodes,
          inMicroseconds(more.end - one.end) / rounds};
}

std::string costsAsMarkdown(const Wishes &wishes) {
  const Network network = wishes.network.value_or(namedNetworks().front());
  std::vector<unsigned> counts = {2, 8, 32, 128, 512, 1024};
  if (wishes.nodes)
    counts = {*wishes.nodes};
  std::string text = "| a round of |", rule = "|---|";
  for (unsigned nodes : counts) {
    text += " " + std::to_string(nodes) + " nodes |";
    rule += "---|";
  }
  text += "\n" + rule + "\n";
  for (const Pattern &pattern : patterns()) {
    text += std::string("| ") + pattern.name + ": " + pattern.meaning + " |";
    for (unsigned nodes : counts) {
      char cell[100] = " ";
      if (nodes <= pattern.mostNodes) {
        const Cost cost = costOf(pattern, nodes, network);
        std::snprintf(cell, sizeof cell, " %.1f / %.0f / %.0f ", cost.messagesPerNode,
                      cost.bytesPerNode, cost.microseconds);
      }
      text += std::string(cell) + "|";
    }
    text += "\n";
  }
  return text;
}

} // namespace ompdsm::simulator
