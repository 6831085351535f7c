#include "protocol/sim/replay/NodeTrace.h"

namespace ompdsm::sim {

bool NodeTrace::next() {
  if (ended_)
    return false;
  // A file whose node was killed ends in the zeros that nothing was written over yet, or in the
  // middle of a line.
  if (!std::getline(file_, line_) || file_.eof() || line_.starts_with('\0') || isHeadLine(line_)) {
    ended_ = cut_ = true;
    return false;
  }
  ++number_;
  if (std::string wrong; !readRecord(line_, head_.nodes, record_, wrong)) {
    problem_ = place() + ": the line " + wrong;
    ended_ = true;
    return false;
  }
  if (record_.kind == RecordKind::End || record_.kind == RecordKind::Truncated) {
    ended_ = true;
    cut_ = record_.kind == RecordKind::Truncated;
    return false;
  }
  return true;
}

std::string NodeTrace::place() const { return name_ + ":" + std::to_string(number_); }

namespace {
struct Section {
  std::string file, head;
  std::uint64_t line = 0; ///< Of the head.
  std::streamoff after = 0;
};

bool findSections(const std::string &name, std::vector<Section> &sections, std::string &problem) {
  std::ifstream file(name);
  if (!file) {
    problem = name + ": cannot be read";
    return false;
  }
  std::string line;
  std::streamoff at = 0;
  for (std::uint64_t number = 1; std::getline(file, line); ++number) {
    at += std::streamoff(line.size()) + 1;
    if (isHeadLine(line) && !file.eof())
      sections.push_back({name, line, number, at});
    else if (number == 1) {
      problem = name + ":1: the file does not begin with the head of a trace; it is made by "
                       "OMPDSM_EVENTS=file=NAME.%n";
      return false;
    }
  }
  if (at == 0)
    problem = name + ": is empty";
  return at != 0;
}
} // namespace

bool openTraces(const std::vector<std::string> &files,
                std::vector<std::unique_ptr<NodeTrace>> &traces, std::string &problem) {
  std::vector<Section> sections;
  for (const std::string &name : files)
    if (!findSections(name, sections, problem))
      return false;
  traces.clear();
  for (const Section &section : sections) {
    auto trace = std::make_unique<NodeTrace>();
    trace->name_ = section.file;
    trace->number_ = section.line;
    if (std::string wrong; !readHead(section.head, trace->head_, wrong)) {
      problem = trace->place() + ": the line " + wrong;
      return false;
    }
    const EventHead &head = trace->head_;
    if (traces.empty())
      traces.resize(head.nodes);
    if (head.nodes != traces.size()) {
      problem = trace->place() + ": a job of " + std::to_string(head.nodes) +
                " nodes, but other traces are of one of " + std::to_string(traces.size());
      return false;
    }
    if (traces[head.node]) {
      problem = trace->place() + ": a second trace of node " + std::to_string(head.node) +
                "; the first is at " + traces[head.node]->place();
      return false;
    }
    trace->file_.open(section.file);
    trace->file_.seekg(section.after);
    traces[head.node] = std::move(trace);
  }
  for (std::size_t n = 0; n < traces.size(); ++n) {
    if (!traces[n]) {
      problem = "there is no trace of node " + std::to_string(n) + "; give the files of all " +
                std::to_string(traces.size()) + " nodes";
      return false;
    }
    if (traces[n]->head_.areas != traces[0]->head_.areas) {
      problem = traces[n]->place() + ": other areas than at " + traces[0]->place() +
                "; the traces are of different jobs";
      return false;
    }
  }
  return true;
}

} // namespace ompdsm::sim
