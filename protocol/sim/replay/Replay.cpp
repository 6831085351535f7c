#include "protocol/sim/replay/Replay.h"
#include "protocol/sim/replay/Merge.h"
#include "protocol/sim/replay/Replayer.h"
#include "protocol/sim/replay/Scenario.h"
#include <deque>

namespace ompdsm::sim {

namespace {

std::optional<Merge> openMerge(const ReplayOptions &options, std::string &problem) {
  std::vector<std::unique_ptr<NodeTrace>> traces;
  if (!openTraces(options.files, traces, problem))
    return {};
  return std::make_optional<Merge>(std::move(traces));
}

std::string hexadecimal(Address address) {
  char text[24];
  std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(address));
  return text;
}

/// Goes through the first `outcome.records` again for what is to be shown and kept of the block.
void lookBack(const ReplayOptions &options, std::optional<Address> block, Address end,
              ReplayOutcome &outcome) {
  std::optional<Merge> merge = openMerge(options, outcome.problem);
  if (!merge)
    return;
  Scenario scenario(block.value_or(0), end);
  NodeId last = 0;
  std::deque<std::pair<NodeId, std::string>> lines;
  for (std::uint64_t i = 0; i < outcome.records && merge->next(); ++i) {
    const NodeTrace &trace = merge->trace();
    if (block)
      scenario.add(merge->node(), trace);
    last = merge->node();
    if (block && !scenario.concerns(trace.record()))
      continue;
    lines.push_back({last, trace.place() + ": " + trace.line()});
    if (lines.size() > ReplayOptions::kShown * (block ? 1u : trace.head().nodes))
      lines.pop_front();
  }
  for (const auto &[node, line] : lines)
    if (!outcome.difference.empty() && (block || node == last))
      outcome.history.push_back(line);
  if (block && !options.scenario.empty() &&
      !scenario.write(options.scenario, !outcome.difference.empty() || !outcome.cut.empty()))
    outcome.problem = options.scenario + ": cannot be written";
}

} // namespace

ReplayOutcome replay(const ReplayOptions &options) {
  ReplayOutcome outcome;
  std::optional<Merge> merge = openMerge(options, outcome.problem);
  if (!merge)
    return outcome;
  Replayer replayer(merge->trace().head());
  outcome.nodes = merge->trace().head().nodes;
  bool same = true;
  while (same && merge->next()) {
    ++outcome.records;
    same = replayer.apply(merge->node(), merge->trace().record());
  }
  outcome.problem = merge->problem();
  if (!outcome.problem.empty())
    return outcome;
  outcome.cut = merge->cut();
  outcome.steps = replayer.steps();
  if (same && merge->failure().empty() && outcome.cut.empty())
    same = replayer.finish();
  std::optional<Address> block = replayer.failedBlock();
  if (!same || !merge->failure().empty()) {
    outcome.difference = merge->trace().place() + ": node " + std::to_string(merge->node());
    if (block)
      outcome.difference += ", block " + hexadecimal(*block);
    outcome.difference += ": " + (same ? merge->failure() : replayer.failure());
  }
  if (options.block && !(block = replayer.blockAt(*options.block)))
    outcome.problem = "no area has the address " + hexadecimal(*options.block);
  else if (block || !outcome.difference.empty())
    lookBack(options, block, block ? replayer.endOf(*block) : 0, outcome);
  return outcome;
}

} // namespace ompdsm::sim
