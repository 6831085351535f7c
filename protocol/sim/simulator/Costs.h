// Costs.h: what patterns of sharing cost on how many nodes.
#pragma once
#include "protocol/sim/simulator/Generator.h"
#include "protocol/sim/simulator/Simulation.h"

namespace ompdsm::simulator {

struct Pattern {
  const char *name;
  const char *meaning;
  unsigned rounds;    ///< How often it is repeated, for an average; the first is not counted.
  unsigned mostNodes; ///< More would take minutes.
  Program (*write)(unsigned nodes, unsigned rounds);
  bool pushes = false; ///< Sharers are expected to read what changes.
};
const std::vector<Pattern> &patterns();

/// Of one round.
struct Cost {
  double messagesPerNode = 0, bytesPerNode = 0;
  double microseconds = 0;
};
/// Without delays, on equal nodes of one thread each. Ends the process if a run fails.
Cost costOf(const Pattern &pattern, unsigned nodes, const Network &network);

/// A table of all patterns, on 2 to 1024 nodes or as wished: messages and bytes that a node sends,
/// and microseconds.
std::string costsAsMarkdown(const Wishes &wishes);

} // namespace ompdsm::simulator
