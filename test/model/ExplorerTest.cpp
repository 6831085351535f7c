// ExplorerTest.cpp: generated programs hold in every order, and counter-examples are short and the
// same each time. That all named programs hold, and need every rule: ompdsm-check --quick.
#include "protocol/sim/Generator.h"
#include "protocol/sim/Mutator.h"
#include "protocol/sim/ProgramParts.h"
#include <gtest/gtest.h>
#include <iostream>
#include <set>

namespace ompdsm::sim {

namespace {

using namespace parts;

TEST(Explorer, GeneratedProgramsHold) {
  for (unsigned number = 0; number < 300; ++number) {
    const Litmus litmus = generatedLitmus(number);
    EXPECT_EQ(faultOf(litmus), "") << litmus.name;
    EXPECT_EQ(explore(litmus, Rules()).failure, "") << litmus.name;
  }
}

TEST(Explorer, GeneratedProgramsNeedManyRules) {
  std::size_t needed = 0;
  for (const NamedRule &rule : namedRules()) {
    if (needed * 3 >= namedRules().size())
      break; // The others would take as long as all these.
    Rules rules;
    rule.switchOff(rules);
    bool failed = false;
    for (unsigned number = 0; number < 250 && !failed; ++number)
      failed = !explore(generatedLitmus(number), rules).failure.empty();
    needed += failed;
    if (!failed)
      std::cout << "  no generated program needs " << rule.name << "\n";
  }
  EXPECT_GE(needed * 3, namedRules().size());
}

TEST(Explorer, EveryTrapHasARule) {
  std::set<unsigned> traps;
  for (const NamedRule &rule : namedRules())
    traps.insert(rule.trap);
  for (unsigned trap = 1; trap <= 9; ++trap)
    EXPECT_TRUE(traps.contains(trap)) << trap;
}

TEST(Explorer, ACounterExampleIsTheShortestAndTheSameEachTime) {
  const Litmus litmus{"test", {{0, write(X, 1) + signal(a)}, {1, checkRead() + wait(a) + read(X)}}};
  Rules rules;
  for (BlockState s : {BlockState::HomeDirty, BlockState::Exclusive})
    rules.cell(s, Event::Get).actions = {Action::AddSharer};
  const Outcome outcome = explore(litmus, rules, true), again = explore(litmus, rules, true);
  // A check, a Get that is not answered, and a twin that is missing.
  EXPECT_EQ(outcome.failure, "a state and its twin disagree");
  EXPECT_EQ(outcome.transcript,
            (std::vector<std::string>{
                "node 1, thread 1: CheckRead of block 0",
                "  node 1, block 0: ReadMiss in Invalid -> Invalid_D RequestData AwaitData",
                "node 0 gets Get of node 1, block 0",
                "  node 0, block 0: Get in Exclusive -> HomeDirty AddSharer"}));
  EXPECT_EQ(outcome.transcript, again.transcript);
  EXPECT_EQ(outcome.states, again.states);
}

TEST(Explorer, WhatAProgramMayCostAndWhereItMustEndIsChecked) {
  Litmus litmus{"test", {{0, {}}, {1, checkRead()}}};
  EXPECT_EQ(explore(litmus, Rules()).failure, "");
  litmus.most.gets = 0;
  EXPECT_NE(explore(litmus, Rules()).failure, "");
  litmus.most.gets = 1;
  litmus.endings = {{1, 0, "Invalid Dirty"}};
  EXPECT_NE(explore(litmus, Rules()).failure, "");
  litmus.endings = {{1, 0, "Invalid Clean"}};
  EXPECT_EQ(explore(litmus, Rules()).failure, "");
}

TEST(Mutants, EachHasANameOfItsOwnThatLeadsBackToIt) {
  std::set<std::string> names;
  for (const Mutant &mutant : allMutants()) {
    EXPECT_TRUE(names.insert(mutant.name()).second) << mutant.name();
    const auto found = mutantOf(mutant.name());
    ASSERT_TRUE(found) << mutant.name();
    EXPECT_EQ(found->name(), mutant.name());
    Rules rules;
    mutant.apply(rules);
    const Transition &changed = rules.cell(mutant.state, mutant.event);
    const Transition &original = lookUp(mutant.state, mutant.event);
    EXPECT_TRUE(changed.actions != original.actions || changed.next != original.next ||
                changed.possible != original.possible)
        << mutant.name();
  }
  EXPECT_GT(names.size(), 1000u);
  EXPECT_FALSE(mutantOf("Dirty/FlushChanged/without-Sense"));
}

TEST(Mutants, TheListOfSurvivorsMustBeExact) {
  const std::vector<Mutant> mutants = {*mutantOf("Dirty/FlushChanged/stall"),
                                       *mutantOf("Dirty/FlushChanged/impossible")};
  const Survivor stall{"Dirty/FlushChanged/stall", "a reason"}, other{"Dirty/None/stall", "none"};
  EXPECT_EQ(disagreements(mutants, {{0}, {0}}, {}).size(), 0u);
  EXPECT_EQ(disagreements(mutants, {{}, {0}}, {stall}).size(), 0u);
  EXPECT_EQ(disagreements(mutants, {{}, {0}}, {}).size(), 1u) << "survives, not listed";
  EXPECT_EQ(disagreements(mutants, {{0}, {0}}, {stall}).size(), 1u) << "listed, killed";
  EXPECT_EQ(disagreements(mutants, {{}, {0}}, {stall, stall}).size(), 1u) << "listed twice";
  EXPECT_EQ(disagreements(mutants, {{0}, {0}}, {other}).size(), 1u) << "no such mutant";
}

TEST(Mutants, AProgramThatTakesTheCellKillsWhatItCanSee) {
  const std::vector<Litmus> programs = {
      {"writes", {{0, {}}, {1, write(X, 1) + release()}}},
      {"reads", {{0, {}}, {1, checkRead()}}},
  };
  const Baseline baseline = Baseline::of(programs, 1);
  const auto killer = [&](const char *name) {
    return killerOf(*mutantOf(name), programs, baseline);
  };
  EXPECT_EQ(killer("Dirty/FlushChangedQuiet/without-SendPut"), std::optional<std::size_t>(0));
  EXPECT_EQ(killer("Invalid_D/Data/to-Invalid"), std::optional<std::size_t>(1));
  EXPECT_EQ(killer("Exclusive/Put/to-Shared"), std::nullopt) << "no program takes it";
}

} // namespace
} // namespace ompdsm::sim
