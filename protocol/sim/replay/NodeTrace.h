// NodeTrace.h: the trace of one node, read line by line. A file holds the trace of one node, or, as
// a scenario does, those of several one after the other.
#pragma once
#include "protocol/sim/replay/EventReader.h"
#include <fstream>
#include <memory>
#include <vector>

namespace ompdsm::sim {

class NodeTrace {
public:
  const EventHead &head() const { return head_; }

  /// Goes on to the next record; false at the end, or with what is wrong in problem().
  bool next();
  /// After next().
  const EventRecord &record() const { return record_; }
  const std::string &line() const { return line_; }
  std::string place() const; ///< File and line.
  /// What is wrong with the file at this place.
  const std::string &problem() const { return problem_; }
  /// Whether the node's trace is not whole: it reached its limit, or the node did not end in order.
  bool isCut() const { return cut_; }

private:
  friend bool openTraces(const std::vector<std::string> &,
                         std::vector<std::unique_ptr<NodeTrace>> &, std::string &);
  std::ifstream file_;
  std::string name_, line_, problem_;
  EventHead head_;
  EventRecord record_;
  std::uint64_t number_ = 0; ///< Of the line.
  bool ended_ = false, cut_ = false;
};

/// Opens the traces of all nodes of one job, by node. False with one message.
[[nodiscard]] bool openTraces(const std::vector<std::string> &files,
                              std::vector<std::unique_ptr<NodeTrace>> &traces,
                              std::string &problem);

} // namespace ompdsm::sim
