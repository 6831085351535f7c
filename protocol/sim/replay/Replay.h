// Replay.h: replays the traces of a job, shows what led to a difference, and makes a scenario of
// it.
#pragma once
#include "protocol/core/Types.h"
#include <optional>
#include <string>
#include <vector>

namespace ompdsm::sim {

struct ReplayOptions {
  std::vector<std::string> files;        ///< The traces of all nodes.
  std::optional<Address> block;          ///< That the scenario is about; else the one that differs.
  std::string scenario;                  ///< The file to write it to; empty: none.
  static constexpr unsigned kShown = 16; ///< Records that are shown before a difference.
};

struct ReplayOutcome {
  std::string problem;    ///< What is wrong with the files; then nothing else is said.
  std::string difference; ///< The first, with its place; empty: none.
  /// The last records about the block, or of the node, in an order that respects messages.
  std::vector<std::string> history;
  std::vector<NodeId> cut; ///< The nodes whose traces are not whole.
  unsigned nodes = 0;
  std::uint64_t records = 0, steps = 0;
};

/// The traces are replayed from the beginning as far as the first difference.
ReplayOutcome replay(const ReplayOptions &options);

} // namespace ompdsm::sim
