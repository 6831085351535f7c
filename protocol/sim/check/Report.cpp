#include "protocol/sim/check/Report.h"
#include "protocol/core/Print.h"
#include "protocol/sim/Generator.h"
#include "protocol/sim/Jobs.h"
#include "protocol/sim/Tables.h"
#include <algorithm>
#include <cstdio>
#include <cstring>

namespace ompdsm::sim {

namespace {

/// How many generated programs --all explores: what two cores do in some two minutes.
constexpr std::size_t kGenerated = 60'000;

void say(const std::string &text) { std::printf("%s\n", text.c_str()); }

void list() {
  say("programs:");
  for (const Litmus &litmus : allLitmuses())
    say("  " + litmus.name);
  say("rules:");
  for (const NamedRule &rule : namedRules())
    say(std::string("  ") + rule.name + ": " + rule.meaning +
        (rule.trap ? " (trap " + std::to_string(rule.trap) + ")" : ""));
  say("mutants:");
  for (const Mutant &mutant : allMutants())
    say("  " + mutant.name());
}

/// The command that shows the run that fails.
std::string repeating(const Litmus &litmus, const NamedRule *rule, const Mutant *mutant) {
  std::string text = "ompdsm-check --litmus \"" + litmus.name + "\"";
  if (rule)
    text += std::string(" --rule-off ") + rule->name;
  if (mutant)
    text += " --mutant " + mutant->name();
  return text + " --transcript";
}

/// One exploration with its result on the terminal; whether it went well.
bool show(const Litmus &litmus, const Rules &rules, const CheckOptions &options) {
  const Outcome outcome = explore(litmus, rules, options.transcript);
  say(std::to_string(outcome.states) + " states: " + litmus.name);
  if (outcome.failure.empty())
    return true;
  for (const std::string &line : outcome.transcript)
    say("  " + line);
  say("  fails: " + outcome.failure);
  if (!options.transcript)
    say("  repeat: " +
        repeating(litmus, options.rule, options.mutant ? &*options.mutant : nullptr));
  return false;
}

int runSome(const CheckOptions &options) {
  Rules rules;
  if (options.rule)
    options.rule->switchOff(rules);
  if (options.mutant)
    options.mutant->apply(rules);
  if (options.litmus)
    return show(*options.litmus, rules, options) ? 0 : 1;
  bool good = true;
  for (const Litmus &litmus : allLitmuses())
    good = show(litmus, rules, options) && good;
  return good ? 0 : 1;
}

/// All programs hold, and every rule of the tables is reached by one.
bool checkPrograms(const Baseline &baseline) {
  bool good = true;
  const std::vector<Litmus> &programs = allLitmuses();
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (const std::string fault = faultOf(programs[i]); !fault.empty()) {
      say("a program is wrong by itself: " + programs[i].name + ": " + fault);
      good = false;
    }
    if (const std::string &failure = baseline.outcomes[i].failure; !failure.empty()) {
      say("fails: " + programs[i].name + ": " + failure);
      say("  repeat: " + repeating(programs[i], nullptr, nullptr));
      good = false;
    }
  }
  for (unsigned s = 0; s < kBlockStateCount; ++s)
    for (unsigned e = 0; e < kEventCount; ++e)
      if (lookUp(BlockState(s), Event(e)).possible &&
          !baseline.isReached(BlockState(s), Event(e))) {
        say(std::string("no program reaches ") + nameOf(BlockState(s)) + ", " + nameOf(Event(e)));
        good = false;
      }
  return good;
}

/// Each rule is needed by some program, not only to be cheap. Returns how many are.
unsigned checkCanaries(const Baseline &baseline, unsigned jobs) {
  const std::vector<Litmus> &programs = allLitmuses();
  // Small programs need most rules, and take no time.
  std::vector<std::pair<std::size_t, std::size_t>> bySize; // states and number
  for (std::size_t i = 0; i < programs.size(); ++i)
    bySize.emplace_back(baseline.outcomes[i].states, i);
  std::sort(bySize.begin(), bySize.end());
  const std::vector<NamedRule> &all = namedRules();
  std::vector<std::string> killers(all.size());
  runJobs(jobs, all.size(), [&](std::size_t i) {
    Rules rules;
    all[i].switchOff(rules);
    for (const auto &[states, number] : bySize)
      if (const Litmus &litmus = programs[number]; !litmus.isAboutCost())
        if (const Outcome outcome = explore(litmus, rules); !outcome.failure.empty()) {
          killers[i] = litmus.name + ": " + outcome.failure;
          return;
        }
  });
  unsigned failed = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    failed += !killers[i].empty();
    say(std::string(killers[i].empty() ? "no program needs " : "canary ") + all[i].name +
        (killers[i].empty() ? "; repeat: ompdsm-check --rule-off " + std::string(all[i].name)
                            : ": " + killers[i]));
  }
  return failed;
}

struct MutantCount {
  std::size_t killed = 0, all = 0;
  bool asListed = true;
};
/// Exactly the mutants that are listed survive.
MutantCount checkMutants(const Baseline &baseline, unsigned jobs) {
  const std::vector<Mutant> mutants = allMutants();
  std::vector<std::optional<std::size_t>> killers(mutants.size());
  runJobs(jobs, mutants.size(),
          [&](std::size_t i) { killers[i] = killerOf(mutants[i], allLitmuses(), baseline); });
  MutantCount count;
  count.all = mutants.size();
  for (const auto &killer : killers)
    count.killed += killer.has_value();
  for (const std::string &line : disagreements(mutants, killers, listedSurvivors())) {
    say(line);
    count.asListed = false;
  }
  return count;
}

/// Programs by number hold, too. Adds to the states.
bool checkGenerated(unsigned jobs, std::size_t &states) {
  const Rules rules;
  std::vector<std::string> faults(kGenerated);
  std::atomic<std::size_t> visited{0};
  runJobs(jobs, kGenerated, [&](std::size_t i) {
    const Litmus litmus = generatedLitmus(unsigned(i));
    if ((faults[i] = faultOf(litmus)).empty()) {
      const Outcome outcome = explore(litmus, rules);
      faults[i] = outcome.failure;
      visited += outcome.states;
    }
  });
  bool good = true;
  for (std::size_t i = 0; i < faults.size(); ++i)
    if (!faults[i].empty()) {
      const Litmus litmus = generatedLitmus(unsigned(i));
      say("fails: " + litmus.name + ": " + faults[i]);
      say("  repeat: " + repeating(litmus, nullptr, nullptr));
      good = false;
    }
  say(std::to_string(kGenerated) + " generated programs, " + std::to_string(visited) + " states");
  states += visited;
  return good;
}

/// 2 if the traces cannot be read.
int runReplay(const ReplayOptions &options) {
  const ReplayOutcome outcome = replay(options);
  if (!outcome.problem.empty()) {
    std::fprintf(stderr, "ompdsm-check: %s\n", outcome.problem.c_str());
    return 2;
  }
  for (const std::string &line : outcome.history)
    say("  " + line);
  for (NodeId node : outcome.cut)
    say("the trace of node " + std::to_string(node) +
        " ends before the job does: replayed as far as it goes");
  std::printf("replay: %u nodes, %llu records, %llu steps: %s\n", outcome.nodes,
              static_cast<unsigned long long>(outcome.records),
              static_cast<unsigned long long>(outcome.steps),
              outcome.difference.empty() ? "as the core says" : "differs");
  if (!outcome.difference.empty())
    say(outcome.difference);
  return outcome.difference.empty() ? 0 : 1;
}

int runAll(const CheckOptions &options) {
  const Baseline baseline = Baseline::of(allLitmuses(), options.jobs);
  bool good = checkPrograms(baseline);
  const unsigned canaries = checkCanaries(baseline, options.jobs);
  good = good && canaries == namedRules().size();
  const MutantCount mutants = checkMutants(baseline, options.jobs);
  std::size_t states = baseline.states;
  if (options.task == CheckOptions::Task::All)
    good = checkGenerated(options.jobs, states) && good;
  good = good && mutants.asListed && mutants.killed * 100 >= mutants.all * 97;
  std::printf("check: %zu states, %u canaries failed as they must, %zu of %zu mutants killed "
              "(%.1f %%)\n",
              states, canaries, mutants.killed, mutants.all,
              100.0 * double(mutants.killed) / double(mutants.all));
  return good ? 0 : 1;
}

} // namespace

int runCheck(const CheckOptions &options) {
  switch (options.task) {
  case CheckOptions::Task::List:
    list();
    return 0;
  case CheckOptions::Task::Tables:
    std::fputs(tablesAsMarkdown().c_str(), stdout);
    return 0;
  case CheckOptions::Task::Replay:
    return runReplay(options.replay);
  case CheckOptions::Task::Some:
    return runSome(options);
  case CheckOptions::Task::Quick:
  case CheckOptions::Task::All:
    return runAll(options);
  }
  return 1;
}

} // namespace ompdsm::sim
