// Options.h: the command line of ompdsm-simulate.
#pragma once
#include "protocol/sim/Mutator.h"
#include "protocol/sim/simulator/Generator.h"
#include <string>

namespace ompdsm::simulator {

struct SimulateOptions {
  bool wantsReport = false;
  std::uint64_t firstSeed = 1;
  unsigned seeds = 0;
  Wishes wishes;
  std::string wishesText;               ///< As on the command line.
  const sim::NamedRule *rule = nullptr; ///< Switched off.
  std::optional<sim::Mutant> mutant;
  bool transcript = false;
  unsigned jobs = 2;
};

/// Returns the exit code if the program is to end: 0 after --help, 2 after a message about what was
/// wrong; -1 to go on.
int parseOptions(int argc, char **argv, SimulateOptions &options);

} // namespace ompdsm::simulator
