// Merge.h: the records of all nodes in one order, in which each node's stay in theirs and a message
// is sent before it is received. The same each time.
#pragma once
#include "protocol/sim/replay/NodeTrace.h"

namespace ompdsm::sim {

class Merge {
public:
  explicit Merge(std::vector<std::unique_ptr<NodeTrace>> traces);

  /// Goes on to the next record; false at the end, or with what is wrong in problem(): a file that
  /// cannot be read, or failure(): messages that cannot be.
  bool next();
  /// Of the last next(), or of a failure().
  NodeId node() const { return node_; }
  const NodeTrace &trace() const { return *traces_[node_]; }

  const std::string &problem() const { return problem_; }
  const std::string &failure() const { return failure_; }
  /// The nodes whose traces are not whole.
  std::vector<NodeId> cut() const;

private:
  /// Whether there is a record of the node that may come now.
  bool isReady(NodeId node);
  std::uint64_t &counter(std::vector<std::uint64_t> &counters, NodeId from, NodeId to,
                         unsigned channel);
  void fail(NodeId node, const std::string &what);

  std::vector<std::unique_ptr<NodeTrace>> traces_;
  std::vector<bool> waiting_, ended_; ///< Waiting: its record is read and has not come yet.
  std::vector<std::uint64_t> sent_, received_; ///< By pair and channel.
  NodeId node_ = 0;
  std::string problem_, failure_;
};

} // namespace ompdsm::sim
