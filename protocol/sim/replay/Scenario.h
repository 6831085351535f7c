// Scenario.h: what a trace has of one block, in one file for all nodes, short enough to be kept as
// a test: ompdsm-check --replay reads it as any trace.
#pragma once
#include "protocol/sim/replay/NodeTrace.h"

namespace ompdsm::sim {

class Scenario {
public:
  /// Of the block [begin, end).
  Scenario(Address begin, Address end) : begin_(begin), end_(end) {}

  /// Whether the record is about the block.
  bool concerns(const EventRecord &record) const;
  /// Keeps what of the trace's record the scenario needs.
  void add(NodeId node, const NodeTrace &trace);
  /// `cut`: the scenario stops before the job.
  [[nodiscard]] bool write(const std::string &file, bool cut) const;

private:
  const Address begin_, end_;
  std::vector<EventHead> heads_;   ///< By node.
  std::vector<std::string> lines_; ///< By node.
};

} // namespace ompdsm::sim
