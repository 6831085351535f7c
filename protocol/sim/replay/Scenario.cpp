#include "protocol/sim/replay/Scenario.h"
#include "protocol/core/EventFormat.h"
#include <algorithm>

namespace ompdsm::sim {

bool Scenario::concerns(const EventRecord &record) const {
  return (fieldsOf(record.kind) & kAddress) && record.address < end_ &&
         record.address + std::max<std::uint64_t>(record.bytes, 1) > begin_;
}

void Scenario::add(NodeId node, const NodeTrace &trace) {
  const unsigned nodes = trace.head().nodes;
  heads_.resize(nodes);
  lines_.resize(nodes);
  heads_[node] = trace.head();
  EventRecord record = trace.record();
  const unsigned fields = fieldsOf(record.kind);
  if ((fields & kAddress) && !concerns(record))
    return;
  // The runtime's own messages order nothing that is checked of a block.
  if ((fields & kMessage) && record.message.starts_with("Runtime"))
    return;
  if (record.kind == RecordKind::Ask || record.kind == RecordKind::Granted) {
    const Address end = std::min(end_, record.address + record.bytes);
    record.address = std::max(begin_, record.address);
    record.bytes = end - record.address;
  }
  appendRecord(lines_[node], record);
}

bool Scenario::write(const std::string &file, bool cut) const {
  std::string text;
  for (std::size_t n = 0; n < lines_.size(); ++n) {
    EventHead head = heads_[n];
    head.node = NodeId(n);
    head.nodes = unsigned(lines_.size());
    std::erase_if(head.areas,
                  [&](const EventArea &area) { return area.begin >= end_ || area.end <= begin_; });
    appendHead(text, head);
    text += lines_[n];
    EventRecord last;
    last.kind = cut ? RecordKind::Truncated : RecordKind::End;
    appendRecord(text, last);
  }
  std::ofstream out(file);
  out << text;
  out.close();
  return !out.fail();
}

} // namespace ompdsm::sim
