#include "protocol/sim/Mutator.h"
#include "protocol/core/Print.h"
#include "protocol/sim/Jobs.h"
#include <algorithm>
#include <cstring>

namespace ompdsm::sim {

void Mutant::apply(Rules &rules) const {
  Transition &cell = rules.cell(state, event);
  switch (change) {
  case Change::Without:
    cell.actions[index] = Action::None;
    break;
  case Change::To:
    cell.next = next;
    break;
  case Change::Stall:
    cell.actions = {};
    cell.next = state;
    break;
  case Change::Impossible:
    cell.possible = false;
    break;
  }
}

std::string Mutant::name() const {
  std::string text = std::string(nameOf(state)) + "/" + nameOf(event) + "/";
  switch (change) {
  case Change::Without:
    return text + "without-" + nameOf(lookUp(state, event).actions[index]);
  case Change::To:
    return text + "to-" + nameOf(next);
  case Change::Stall:
    return text + "stall";
  case Change::Impossible:
    return text + "impossible";
  }
  return text;
}

std::vector<Mutant> allMutants() {
  std::vector<Mutant> all;
  for (unsigned s = 0; s < kBlockStateCount; ++s)
    for (unsigned e = 0; e < kEventCount; ++e) {
      const BlockState state = BlockState(s);
      const Event event = Event(e);
      const Transition &cell = lookUp(state, event);
      if (!cell.possible)
        continue;
      unsigned actions = 0;
      for (unsigned i = 0; i < Transition::kMaxActions; ++i)
        if (cell.actions[i] != Action::None) {
          ++actions;
          all.push_back({state, event, Mutant::Change::Without, i});
        }
      for (unsigned next = 0; next < kBlockStateCount; ++next)
        if (BlockState(next) != cell.next)
          all.push_back({state, event, Mutant::Change::To, 0, BlockState(next)});
      // With a single change, the stall is one of the above.
      if (actions + (cell.next != state) > 1)
        all.push_back({state, event, Mutant::Change::Stall});
      all.push_back({state, event, Mutant::Change::Impossible});
    }
  return all;
}

std::optional<Mutant> mutantOf(const std::string &name) {
  for (const Mutant &mutant : allMutants())
    if (mutant.name() == name)
      return mutant;
  return {};
}

Baseline Baseline::of(const std::vector<Litmus> &programs, unsigned jobs) {
  Baseline baseline;
  baseline.outcomes.resize(programs.size());
  const Rules rules;
  runJobs(jobs, programs.size(),
          [&](std::size_t i) { baseline.outcomes[i] = explore(programs[i], rules); });
  for (const Outcome &outcome : baseline.outcomes)
    baseline.states += outcome.states;
  return baseline;
}

bool Baseline::isReached(BlockState state, Event event) const {
  return !reaching(state, event).empty();
}

std::vector<std::size_t> Baseline::reaching(BlockState state, Event event) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < outcomes.size(); ++i)
    if (outcomes[i].reached[std::size_t(state)][std::size_t(event)])
      found.push_back(i);
  std::sort(found.begin(), found.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(outcomes[a].states, a) < std::pair(outcomes[b].states, b);
  });
  return found;
}

std::optional<std::size_t> killerOf(const Mutant &mutant, const std::vector<Litmus> &programs,
                                    const Baseline &baseline) {
  Rules rules;
  mutant.apply(rules);
  // A program that never takes the transition does not notice.
  for (std::size_t i : baseline.reaching(mutant.state, mutant.event))
    if (!explore(programs[i], rules).failure.empty())
      return i;
  return {};
}

const std::vector<Survivor> &listedSurvivors() {
  static const std::vector<Survivor> all = {
#define OMPDSM_SURVIVOR(name, reason) {name, reason},
#include "protocol/sim/Survivors.def"
#undef OMPDSM_SURVIVOR
  };
  return all;
}

std::vector<std::string> disagreements(const std::vector<Mutant> &mutants,
                                       const std::vector<std::optional<std::size_t>> &killers,
                                       const std::vector<Survivor> &listed) {
  std::vector<std::string> found;
  std::vector<bool> used(listed.size());
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    const std::string name = mutants[i].name();
    bool isListed = false;
    for (std::size_t j = 0; j < listed.size(); ++j)
      if (!isListed && !used[j] && name == listed[j].name)
        isListed = used[j] = true;
    if (killers[i] && isListed)
      found.push_back("a mutant is killed that is listed as a survivor: " + name);
    if (!killers[i] && !isListed)
      found.push_back("a mutant survives that is not listed: " + name +
                      "; repeat: ompdsm-check --mutant " + name);
  }
  for (std::size_t j = 0; j < listed.size(); ++j)
    if (!used[j])
      found.push_back(std::string("the list of survivors names no mutant, or one twice: ") +
                      listed[j].name);
  return found;
}

} // namespace ompdsm::sim
