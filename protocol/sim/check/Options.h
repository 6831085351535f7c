// Options.h: the command line of ompdsm-check.
#pragma once
#include "protocol/sim/Mutator.h"
#include "protocol/sim/replay/Replay.h"

namespace ompdsm::sim {

struct CheckOptions {
  enum class Task { Some, Quick, All, List, Tables, Replay } task = Task::Some;
  std::optional<Litmus> litmus;    ///< None: all.
  const NamedRule *rule = nullptr; ///< Switched off.
  std::optional<Mutant> mutant;
  bool transcript = false;
  ReplayOptions replay;
  unsigned jobs = 2;
};

/// Returns the exit code if the program is to end: 0 after --help, 2 after a message about what was
/// wrong; -1 to go on.
int parseOptions(int argc, char **argv, CheckOptions &options);

} // namespace ompdsm::sim
