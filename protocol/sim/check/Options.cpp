#include "protocol/sim/check/Options.h"
#include "protocol/sim/Generator.h"
#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>

namespace ompdsm::sim {

namespace {
/// By its whole name, or by a part that only one has.
std::optional<Litmus> findLitmus(const std::string &name, std::string &problem) {
  unsigned number = 0;
  if (char rest; std::sscanf(name.c_str(), "generated %u%c", &number, &rest) == 1)
    return generatedLitmus(number);
  std::optional<Litmus> found;
  for (const Litmus &litmus : allLitmuses()) {
    if (litmus.name == name)
      return litmus;
    if (litmus.name.find(name) != std::string::npos) {
      if (found) {
        problem = "--litmus: several programs have '" + name + "' in their names: '" + found->name +
                  "' and '" + litmus.name + "'; give more of the name";
        return {};
      }
      found = litmus;
    }
  }
  if (!found)
    problem = "--litmus: no program is named '" + name + "'; --list shows all";
  return found;
}

bool readAddress(std::string_view text, std::optional<Address> &address) {
  if (text.starts_with("0x"))
    text.remove_prefix(2);
  Address value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc() || end != text.data() + text.size())
    return false;
  address = value;
  return true;
}
} // namespace

int parseOptions(int argc, char **argv, CheckOptions &options) {
  CLI::App app("Explores the protocol in every order of messages and threads, in a small world.",
               "ompdsm-check");
  bool all = false, quick = false, list = false, tables = false;
  std::string litmus, rule, mutant, block;
  app.add_flag("--all", all, "All programs, canaries, mutants, and generated programs");
  app.add_flag("--quick", quick, "The same without generated programs");
  app.add_option("--litmus", litmus, "One program only, by its name or a part of it");
  app.add_option("--rule-off", rule, "Without a rule of the protocol");
  app.add_option("--mutant", mutant, "With a change of a table: STATE/EVENT/CHANGE");
  app.add_flag("--list", list, "Names of programs, rules and mutants");
  app.add_flag("--tables", tables, "The tables in Markdown");
  app.add_option("--replay", options.replay.files,
                 "Replay the traces of a job's nodes (OMPDSM_EVENTS), or a scenario");
  app.add_option("--scenario", options.replay.scenario,
                 "With --replay: write what happens to the block as a scenario");
  app.add_option("--block", block, "Of the scenario, an address; else the block that differs");
  app.add_flag("--transcript", options.transcript, "Show the shortest run that fails");
  app.add_option("--jobs", options.jobs, "Threads that explore")->check(CLI::Range(1u, 64u));
  std::string problem;
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &) {
    std::fputs(app.help().c_str(), stdout);
    return 0;
  } catch (const CLI::ParseError &error) {
    problem = error.what();
  }
  const bool replays = !options.replay.files.empty();
  const bool some = !litmus.empty() || !rule.empty() || !mutant.empty();
  if (problem.empty() && all + quick + list + tables + replays + some != 1)
    problem = "give one of --all, --quick, --list, --tables, --replay, or any of --litmus, "
              "--rule-off and "
              "--mutant; --help explains them";
  if (problem.empty() && !litmus.empty())
    options.litmus = findLitmus(litmus, problem);
  if (problem.empty() && !rule.empty() && !(options.rule = ruleOf(rule)))
    problem = "--rule-off: no rule is named '" + rule + "'; --list shows all";
  if (problem.empty() && !mutant.empty() && !(options.mutant = mutantOf(mutant)))
    problem = "--mutant: no mutant is named '" + mutant +
              "'; names are like Dirty/FlushChanged/without-SendPut, and --list shows all";
  if (problem.empty() && !replays && (!block.empty() || !options.replay.scenario.empty()))
    problem = "--scenario and --block need the traces that --replay names";
  if (problem.empty() && !block.empty() && !readAddress(block, options.replay.block))
    problem = "--block: '" + block + "' is no address in hexadecimal";
  if (!problem.empty()) {
    std::fprintf(stderr, "ompdsm-check: %s\n", problem.c_str());
    return 2;
  }
  options.task = all       ? CheckOptions::Task::All
                 : quick   ? CheckOptions::Task::Quick
                 : list    ? CheckOptions::Task::List
                 : tables  ? CheckOptions::Task::Tables
                 : replays ? CheckOptions::Task::Replay
                           : CheckOptions::Task::Some;
  return -1;
}

} // namespace ompdsm::sim
