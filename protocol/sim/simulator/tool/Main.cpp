// ompdsm-simulate: random programs on many nodes, and what sharing costs.
#include "protocol/sim/Jobs.h"
#include "protocol/sim/simulator/Costs.h"
#include "protocol/sim/simulator/Simulation.h"
#include "protocol/sim/simulator/tool/Options.h"
#include <cinttypes>
#include <cstdio>
#include <mutex>

namespace ompdsm::simulator {
namespace {

/// The command that repeats one seed.
std::string repeating(const SimulateOptions &options, std::uint64_t seed) {
  std::string text = "ompdsm-simulate --seeds 1 --first-seed " + std::to_string(seed);
  text += options.wishesText;
  if (options.rule)
    text += std::string(" --rule-off ") + options.rule->name;
  if (options.mutant)
    text += " --mutant " + options.mutant->name();
  return text + " --transcript";
}

struct Totals {
  std::uint64_t occurrences = 0, messages = 0, bytes = 0;
  unsigned failed = 0, mostNodes = 0;
};

int runSeeds(const SimulateOptions &options) {
  sim::Rules rules;
  if (options.rule)
    options.rule->switchOff(rules);
  if (options.mutant)
    options.mutant->apply(rules);
  Totals totals;
  std::mutex mutex; // guards the totals and the terminal
  sim::runJobs(options.jobs, options.seeds, [&](std::size_t i) {
    const std::uint64_t seed = options.firstSeed + i;
    const Scenario scenario = generatedScenario(seed, options.wishes);
    Outcome outcome = Simulation(scenario, rules).run();
    if (outcome.failure && outcome.failure->block && options.transcript)
      outcome = Simulation(scenario, rules, outcome.failure->block).run();
    std::lock_guard guard(mutex);
    totals.occurrences += outcome.statistics.events;
    totals.messages += outcome.statistics.total().messages;
    totals.bytes += outcome.statistics.total().bytes;
    totals.mostNodes = std::max(totals.mostNodes, scenario.program.nodes);
    if (!outcome.failure)
      return;
    ++totals.failed;
    for (const std::string &line : outcome.transcript)
      std::printf("  %s\n", line.c_str());
    std::printf("seed %" PRIu64 ", %u nodes, fails: %s\n", seed, scenario.program.nodes,
                outcome.failure->text.c_str());
    if (!options.transcript)
      std::printf("  repeat: %s\n", repeating(options, seed).c_str());
  });
  std::printf("simulate: %u seeds on up to %u nodes, %" PRIu64 " messages of %" PRIu64
              " bytes, %u failed\n",
              options.seeds, totals.mostNodes, totals.messages, totals.bytes, totals.failed);
  return totals.failed ? 1 : 0;
}

} // namespace
} // namespace ompdsm::simulator

int main(int argc, char **argv) {
  using namespace ompdsm::simulator;
  SimulateOptions options;
  if (const int code = parseOptions(argc, argv, options); code >= 0)
    return code;
  if (options.wantsReport) {
    std::fputs(costsAsMarkdown(options.wishes).c_str(), stdout);
    return 0;
  }
  return runSeeds(options);
}
