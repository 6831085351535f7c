// Explorer.h: visits every state that a program can reach, breadth first, until one is wrong.
#pragma once
#include "protocol/sim/Litmus.h"
#include "protocol/sim/Rules.h"

namespace ompdsm::sim {

struct Outcome {
  std::string failure;                 ///< What is wrong, by the shortest run; empty if nothing is.
  std::vector<std::string> transcript; ///< That run, if asked for.
  std::size_t states = 0;
  bool reached[kBlockStateCount][kEventCount] = {}; ///< Transitions taken.
};

/// The result depends on nothing but its arguments. States are kept as 128-bit hashes.
Outcome explore(const Litmus &litmus, const Rules &rules, bool wantTranscript = false);

} // namespace ompdsm::sim
