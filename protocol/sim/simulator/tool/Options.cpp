#include "protocol/sim/simulator/tool/Options.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

namespace ompdsm::simulator {

namespace {

/// A named network, or "L,o,g,G" in nanoseconds, and nanoseconds per byte.
std::optional<Network> networkOf(const std::string &text) {
  for (const Network &network : namedNetworks())
    if (text == network.name)
      return network;
  double latency, overhead, gap, gapPerByte;
  char rest;
  constexpr double kMost = 1e9;
  if (std::sscanf(text.c_str(), "%lf,%lf,%lf,%lf%c", &latency, &overhead, &gap, &gapPerByte,
                  &rest) != 4)
    return {};
  for (double value : {latency, overhead, gap, gapPerByte})
    if (!(value >= 0 && value <= kMost))
      return {};
  const auto time = [](double nanoseconds) { return Time(nanoseconds * double(kNanosecond)); };
  return Network{"given",   time(latency),    time(overhead),
                 time(gap), time(gapPerByte), "the command line"};
}

std::string namesOfNetworks() {
  std::string names;
  for (const Network &network : namedNetworks())
    names += std::string(names.empty() ? "" : ", ") + network.name;
  return names;
}
} // namespace

int parseOptions(int argc, char **argv, SimulateOptions &options) {
  CLI::App app("Runs random programs on many simulated nodes, with the protocol's own code, in "
               "virtual time.",
               "ompdsm-simulate");
  std::string network, rule, mutant;
  unsigned nodes = 0;
  app.add_option("--seeds", options.seeds, "How many programs")
      ->check(CLI::Range(1u, 100'000'000u));
  app.add_option("--first-seed", options.firstSeed, "The first one's number");
  app.add_option("--nodes", nodes, "Of each run; by default each seed decides")
      ->check(CLI::Range(2u, 1024u));
  app.add_option("--network", network,
                 "Of each run: " + namesOfNetworks() +
                     ", or L,o,g,G of LogGP in nanoseconds (G: per byte); by default each seed "
                     "decides");
  app.add_option("--rule-off", rule, "Without a rule of the protocol (ompdsm-check --list)");
  app.add_option("--mutant", mutant, "With a change of a table: STATE/EVENT/CHANGE");
  app.add_flag("--transcript", options.transcript, "Show what happened to the block that is wrong");
  app.add_flag("--report", options.wantsReport,
               "What patterns of sharing cost on 2 to 1024 nodes (or on --nodes)");
  app.add_option("--jobs", options.jobs, "Threads that simulate")->check(CLI::Range(1u, 64u));
  std::string problem;
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &) {
    std::fputs(app.help().c_str(), stdout);
    return 0;
  } catch (const CLI::ParseError &error) {
    problem = error.what();
  }
  if (problem.empty() && options.wantsReport == (options.seeds != 0))
    problem = "give either --seeds or --report; --help explains them";
  if (problem.empty() && nodes) {
    options.wishes.nodes = nodes;
    options.wishesText += " --nodes " + std::to_string(nodes);
  }
  if (problem.empty() && !network.empty()) {
    if (!(options.wishes.network = networkOf(network)))
      problem = "--network: '" + network + "' is none of " + namesOfNetworks() +
                " and no four numbers like 2500,1500,1000,0.4";
    options.wishesText += " --network " + network;
  }
  if (problem.empty() && !rule.empty() && !(options.rule = sim::ruleOf(rule)))
    problem = "--rule-off: no rule is named '" + rule + "'; ompdsm-check --list shows all";
  if (problem.empty() && !mutant.empty() && !(options.mutant = sim::mutantOf(mutant)))
    problem = "--mutant: no mutant is named '" + mutant +
              "'; names are like Dirty/FlushChanged/without-SendPut, and ompdsm-check --list shows "
              "all";
  if (problem.empty())
    return -1;
  std::fprintf(stderr, "ompdsm-simulate: %s\n", problem.c_str());
  return 2;
}

} // namespace ompdsm::simulator
