#include "protocol/sim/replay/Merge.h"

namespace ompdsm::sim {

Merge::Merge(std::vector<std::unique_ptr<NodeTrace>> traces)
    : traces_(std::move(traces)), waiting_(traces_.size()), ended_(traces_.size()),
      sent_(traces_.size() * traces_.size() * kRecordedChannels), received_(sent_.size()) {}

std::uint64_t &Merge::counter(std::vector<std::uint64_t> &counters, NodeId from, NodeId to,
                              unsigned channel) {
  return counters[(std::size_t(from) * traces_.size() + to) * kRecordedChannels + channel];
}

void Merge::fail(NodeId node, const std::string &what) {
  const EventRecord &record = traces_[node]->record();
  node_ = node;
  failure_ = record.message + " is message " + std::to_string(record.number) + " of its channel " +
             (record.kind == RecordKind::Send ? "to" : "from") + " node " +
             std::to_string(record.peer) + ", " + what;
}

bool Merge::isReady(NodeId node) {
  NodeTrace &trace = *traces_[node];
  if (ended_[node])
    return false;
  if (!waiting_[node]) {
    if (!trace.next()) {
      ended_[node] = true;
      problem_ = trace.problem();
      return false;
    }
    waiting_[node] = true;
  }
  const EventRecord &record = trace.record();
  if (record.kind != RecordKind::Receive && record.kind != RecordKind::Send)
    return true;
  const bool isSend = record.kind == RecordKind::Send;
  const NodeId from = isSend ? node : record.peer, to = isSend ? record.peer : node;
  std::uint64_t &done = counter(isSend ? sent_ : received_, from, to, record.channel);
  if (record.number <= done) { // A scenario does not have them all.
    fail(node, "but number " + std::to_string(done) + " came before it");
    return false;
  }
  if (!isSend && counter(sent_, from, to, record.channel) < record.number)
    return false;
  done = record.number;
  return true;
}

bool Merge::next() {
  for (std::size_t tried = 0; tried < traces_.size(); ++tried) {
    const NodeId node = NodeId((node_ + tried) % traces_.size());
    if (isReady(node)) {
      node_ = node;
      waiting_[node] = false;
      return true;
    }
    if (!problem_.empty() || !failure_.empty())
      return false;
  }
  if (cut().empty())
    for (std::size_t n = 0; n < traces_.size() && failure_.empty(); ++n)
      if (waiting_[n])
        fail(NodeId(n), "which that node has not sent");
  return false;
}

std::vector<NodeId> Merge::cut() const {
  std::vector<NodeId> nodes;
  for (std::size_t n = 0; n < traces_.size(); ++n)
    if (traces_[n]->isCut())
      nodes.push_back(NodeId(n));
  return nodes;
}

} // namespace ompdsm::sim
