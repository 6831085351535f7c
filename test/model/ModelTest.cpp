// ModelTest.cpp: litmus programs in every interleaving; every rule is needed; mutants of the
// tables.
//
// Each litmus is a data-race-free program of at most four threads on one block of two bytes, X and
// Y; a load states the value that the program's order demands. Most are from the protocol's list of
// traps (ARCHITECTURE section 2).
#include "test/model/Model.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <iostream>

namespace ompdsm::model {
namespace {

constexpr std::uint8_t X = 0, Y = 1;
enum Flag : std::uint8_t { a, b, c, d, e };
using Operations = std::vector<Operation>;

Operations operator+(Operations left, const Operations &right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}
Operations checkRead() { return {{Operation::CheckRead}}; }
Operations checkWrite() { return {{Operation::CheckWrite}}; }
Operations load(std::uint8_t byte, std::uint8_t value) { return {{Operation::Load, byte, value}}; }
Operations store(std::uint8_t byte, std::uint8_t value) {
  return {{Operation::Store, byte, value}};
}
Operations read(std::uint8_t byte, std::uint8_t value) { return checkRead() + load(byte, value); }
Operations write(std::uint8_t byte, std::uint8_t value) {
  return checkWrite() + store(byte, value);
}
Operations release() { return {{Operation::Release}}; }
Operations post(Flag flag) { return {{Operation::Post, flag}}; }
Operations wait(Flag flag) { return {{Operation::Wait, flag}}; }
Operations signal(Flag flag) { return release() + post(flag); }
Operations prefetch() { return {{Operation::Prefetch}}; }
Operations atomicLoad(std::uint8_t byte, std::uint8_t value) {
  return {{Operation::AtomicLoad, byte, value}};
}
Operations exchange(std::uint8_t byte, std::uint8_t value) {
  return {{Operation::Exchange, byte, value}};
}

const std::vector<Litmus> &litmuses() {
  static const std::vector<Litmus> all = {
      {"home writes, cacher reads",
       {{0, write(X, 1) + signal(a)}, {1, checkRead() + wait(a) + read(X, 1)}}},
      {"cacher writes, all read",
       {{1, write(X, 1) + signal(a)},
        {2, checkRead() + wait(a) + read(X, 1)},
        {0, wait(a) + read(X, 1)}}},
      {"false sharing of home and cacher",
       {{0, write(X, 1) + signal(a) + wait(b) + read(Y, 2) + read(X, 1)},
        {1, write(Y, 2) + signal(b) + wait(a) + read(X, 1) + read(Y, 2)}}},
      {"false sharing of cachers",
       {{1, write(X, 1) + signal(a) + wait(b) + read(Y, 2)},
        {2, write(Y, 2) + signal(b) + wait(a) + read(X, 1)}}},
      {"stale base (trap 1)",
       {{1, write(X, 7) + signal(a) + wait(b) + write(X, 7) + signal(c)},
        {2, wait(a) + read(X, 7) + write(X, 5) + signal(b) + wait(c) + read(X, 7)}}},
      {"stale base beside a writer (trap 1)",
       {{1, write(X, 7) + signal(a) + wait(b) + write(X, 7) + signal(c)},
        {1, checkWrite() + store(Y, 3) + signal(d)},
        {2, wait(a) + write(X, 5) + signal(b) + wait(c) + read(X, 7)}}},
      {"late store (trap 2)",
       {{1, checkWrite() + store(X, 1) + store(X, 2) + signal(a)},
        {1, write(Y, 1) + signal(b)},
        {2, wait(a) + read(X, 2) + wait(b) + read(Y, 1)}}},
      {"late store under an invalidation (trap 2)",
       {{1, checkWrite() + store(X, 2) + signal(a)},
        {1, wait(b) + read(Y, 4) + release()},
        {2, write(Y, 4) + signal(b) + wait(a) + read(X, 2)}}},
      {"late store, many flushes (trap 2)",
       {{1, checkWrite() + store(X, 2) + signal(a)},
        {1, write(Y, 1) + release() + write(Y, 2) + release() + signal(b)},
        {0, wait(a) + read(X, 2) + wait(b) + read(Y, 2)}}},
      {"late home store, many flushes (trap 2)",
       {{0, checkWrite() + store(X, 2) + signal(a)},
        {0, write(Y, 1) + release() + write(Y, 2) + release() + signal(b)},
        {1, checkRead() + wait(a) + read(X, 2) + wait(b) + read(Y, 2)}}},
      {"untracked home write (trap 3)",
       {{0, checkWrite() + store(X, 1) + store(X, 2) + signal(a)},
        {0, write(Y, 5) + signal(b)},
        {1, checkRead() + wait(a) + read(X, 2) + wait(b) + read(Y, 5)}}},
      {"reordered invalidation (trap 4)",
       {{1, checkRead() + release() + wait(a) + read(X, 2)},
        {2, write(X, 1) + release() + write(X, 2) + signal(a)}}},
      {"merge under a writer (trap 5)",
       {{1, checkWrite() + store(X, 1) + wait(c) + signal(a)},
        {1, wait(b) + read(Y, 2) + post(c)},
        {2, write(Y, 2) + signal(b) + wait(a) + read(X, 1)}}},
      {"somebody else's flush (trap 6)",
       {{1, write(X, 1) + signal(a)}, {1, release()}, {2, checkRead() + wait(a) + read(X, 1)}}},
      {"invalidation still in flight (trap 7)",
       {{1, write(X, 1) + release()},
        {1, write(Y, 2) + signal(a)},
        {2, checkRead() + wait(a) + read(Y, 2)}}},
      {"invalidation of another writer in flight (trap 7)",
       {{1, write(X, 1) + signal(a)},
        {0, write(Y, 2) + release()},
        {2, checkRead() + wait(a) + read(X, 1)}}},
      {"flush under a fetch (trap 8)",
       {{1, checkWrite() + store(X, 1) + signal(a) + read(X, 1)},
        {1, wait(b) + read(Y, 2)},
        {2, write(Y, 2) + signal(b)}}},
      {"ping-pong",
       {{1, write(X, 1) + signal(a) + wait(b) + read(X, 2) + write(X, 3) + signal(c)},
        {2, wait(a) + read(X, 1) + write(X, 2) + signal(b) + wait(c) + read(X, 3)},
        {0, write(Y, 8) + signal(d) + wait(c) + read(X, 3) + read(Y, 8)}}},
      {"home writes under a reader and a writer",
       {{0, write(X, 1) + signal(a) + wait(b) + read(Y, 3) + write(X, 2) + signal(c)},
        {1, write(Y, 3) + signal(b) + wait(c) + read(X, 2) + read(Y, 3)},
        {2, wait(a) + checkRead() + wait(c) + read(X, 2) + wait(b) + read(Y, 3)}}},
      {"three writers",
       {{1, write(X, 1) + signal(a) + wait(b) + read(X, 2) + write(Y, 5) + signal(c)},
        {2, wait(a) + write(X, 2) + signal(b) + wait(c) + read(Y, 5)},
        {0, wait(b) + read(X, 2) + wait(c) + read(Y, 5) + write(X, 6) + signal(d)},
        {1, checkRead() + wait(d) + read(X, 6) + read(Y, 5)}}},
      {"served while dirty, then written back",
       {{0, checkWrite() + store(X, 1) + store(X, 0) + signal(a)},
        {1, checkRead() + wait(a) + read(X, 0)},
        {2, checkRead()}}},
      {"served while closing, then written back",
       {{0, checkWrite() + store(X, 1) + store(X, 0) + signal(a)},
        {0, write(Y, 1) + release()},
        {1, checkRead() + wait(a) + read(X, 0)},
        {2, checkRead()}}},
      {"silent store over untracked bytes at the home",
       {{1, checkRead() + signal(a) + wait(b) + read(X, 9)},
        {0, wait(a) + release() + store(X, 9) + checkWrite() + store(X, 9) + signal(b)}},
       true},
      {"silent store of a cacher over untracked bytes",
       {{1, checkRead() + signal(a) + wait(b) + write(X, 0) + signal(c)},
        {0, wait(a) + release() + store(X, 9) + signal(b) + wait(c) + read(X, 0)}},
       true},
      {"silent store of a cacher that has written before, over untracked bytes",
       {{1, write(Y, 1) + post(a) + wait(b) + write(X, 0) + signal(c)},
        {0, wait(a) + release() + store(X, 9) + signal(b) + wait(c) + read(X, 0)}},
       true},
      {"silent store of a cacher after another's fetch, over untracked bytes",
       {{1, write(Y, 1) + post(a) + release()},
        {1, wait(b) + write(X, 0) + signal(c)},
        {0, wait(a) + release() + store(X, 9) + signal(b) + wait(c) + read(X, 0)}},
       true},
      {"silent store of a cacher under another's fetch, over untracked bytes",
       {{1, write(Y, 1) + release()},
        {1, wait(b) + write(X, 0) + signal(c)},
        {0, release() + store(X, 9) + signal(b) + wait(c) + read(X, 0)}},
       true},
      {"atomics beside writers",
       {{1, write(X, 1) + exchange(Y, 5) + store(X, 2) + signal(a) + read(Y, 5)},
        {2, checkRead() + wait(a) + read(Y, 5) + read(X, 2)},
        {0, checkWrite() + wait(a) + read(Y, 5)}}},
      {"atomic of a cacher under home writers",
       {{1, checkRead() + exchange(Y, 5) + signal(a) + read(Y, 5)},
        {0, checkWrite() + store(X, 1) + store(X, 2) + signal(b)},
        {2, checkRead() + wait(a) + read(Y, 5) + wait(b) + read(X, 2)}}},
      {"atomic of the home",
       {{0, exchange(Y, 5) + signal(a)},
        {1, checkRead() + wait(a) + read(Y, 5)},
        {2, write(X, 1) + signal(b)}}},
      {"late store after an earlier synchronisation (trap 2)",
       {{1, post(c) + checkWrite() + store(X, 1) + store(X, 2) + signal(a)},
        {1, write(Y, 1) + release() + release() + signal(b)},
        {2, checkRead() + wait(a) + read(X, 2) + wait(b) + read(Y, 1)}}},
      {"late store of nothing new after an earlier synchronisation (trap 2)",
       {{1, post(c) + checkWrite() + store(X, 2) + signal(a)},
        {1, checkWrite() + release() + release()},
        {2, write(Y, 3) + release() + wait(a) + read(X, 2)}}},
      {"late home store after an earlier synchronisation (trap 2)",
       {{0, post(c) + checkWrite() + store(X, 1) + store(X, 2) + signal(a)},
        {0, checkWrite() + release() + release()},
        {1, checkRead() + wait(a) + read(X, 2)}}},
      {"a flush does not repeat what others have overwritten",
       {{1, write(X, 1) + signal(a)},
        {1, checkWrite() + store(Y, 1) + release() + release() + signal(c)},
        {2, wait(a) + write(X, 5) + signal(b) + wait(c) + read(X, 5)},
        {0, wait(b) + read(X, 5) + wait(c) + read(X, 5) + read(Y, 1)}}},
      {"a home's flush does not repeat what others have overwritten",
       {{0, write(X, 1) + signal(a)},
        {0, checkWrite() + store(Y, 1) + release() + release() + signal(c)},
        {2, checkRead() + wait(a) + write(X, 5) + signal(b) + wait(c) + read(X, 5)}}},
      {"puts under a closing home",
       {{0, checkWrite() + store(X, 1) + store(X, 2) + signal(a)},
        {0, checkWrite() + release()},
        {1, checkRead() + write(Y, 3) + release() + wait(a) + read(X, 2)}}},
      {"atomics under a closing home",
       {{0, checkWrite() + store(X, 2) + signal(a)},
        {0, checkWrite() + release()},
        {1, checkRead() + exchange(Y, 4) + atomicLoad(Y, 4) + read(Y, 4) + wait(a) + read(X, 2)}}},
      {"prefetch beside writers",
       {{1, prefetch() + wait(a) + read(X, 1) + write(Y, 2) + signal(b)},
        {2, write(X, 1) + signal(a) + wait(b) + read(Y, 2)},
        {1, checkRead()}}},
      {"writes of the value that was there",
       {{1, checkRead() + write(X, 0) + signal(a)},
        {0, write(Y, 1) + signal(b) + wait(a) + read(X, 0)},
        {2, checkRead() + wait(b) + read(Y, 1) + write(X, 0) + release()}}},
      {"untracked bytes, several writers",
       {{1, checkRead() + write(X, 1) + signal(a) + wait(b) + read(Y, 2)},
        {2, checkRead() + write(Y, 2) + signal(b) + wait(a) + read(X, 1)},
        {1, checkWrite() + release()}},
       true},
      {"late store during a flush",
       {{1, checkWrite() + store(X, 2) + signal(a)},
        {1, write(Y, 1) + release() + release()},
        {0, wait(a) + read(X, 2)}}},
  };
  return all;
}

/// The first litmus that fails under the rules, with its failure; empty if none does.
std::string killerOf(const Rules &rules) {
  for (const Litmus &litmus : litmuses())
    if (Outcome outcome = explore(litmus, rules); !outcome.failure.empty())
      return litmus.name + ": " + outcome.failure;
  return "";
}

TEST(Model, EveryLitmusHoldsInEveryInterleaving) {
  for (const Litmus &litmus : litmuses()) {
    Outcome outcome = explore(litmus, Rules(), true);
    std::cout << "  " << outcome.states << " states: " << litmus.name << "\n";
    EXPECT_EQ(outcome.failure, "") << litmus.name;
    for (const std::string &line : outcome.trace)
      std::cout << "    " << line << "\n";
    EXPECT_GT(outcome.states, 10u);
  }
}

void replace(Rules &rules, BlockState state, Event event, BlockState next,
             std::array<Action, Transition::kMaxActions> actions) {
  Transition &cell = rules.cell(state, event);
  cell.next = next;
  cell.actions = actions;
}

/// A rule of the protocol by its name, and the protocol without it.
struct NamedRule {
  const char *name;
  void (*breakIt)(Rules &);
};
using enum BlockState;
using enum Action;
constexpr NamedRule kNamedRules[] = {
    {"AnInvalidationTakesWritesToo",
     [](Rules &r) {
       for (BlockState s : {Dirty, Closing})
         replace(r, s, Event::Invalidate, s, {});
     }},
    {"TheTwinStaysUnderLateWriters",
     [](Rules &r) {
       replace(r, Dirty, Event::FlushChanged, Clean, {SendPut, DropTwin});
       replace(r, Closing, Event::FlushChanged, Clean, {SendPut, DropTwin});
       replace(r, Closing, Event::FlushSame, Clean, {DropTwin});
     }},
    {"AServedBlockIsTracked",
     [](Rules &r) { replace(r, Exclusive, Event::Get, Shared, {AddSharer, SendMemory}); }},
    {"ChannelsAreOrdered", [](Rules &r) { r.channelsAreOrdered = false; }},
    {"MergesKeepLateStores",
     [](Rules &r) {
       replace(r, Stale_D, Event::Data, Closing, {ApplyData, WakeWaiters});
       replace(r, Stale_D, Event::DataForWrite, Dirty, {ApplyData, WakeWaiters});
     }},
    {"AFlushWaitsForAFetch",
     [](Rules &r) {
       replace(r, Stale_D, Event::FlushChanged, Stale_D, {SendPut, RenewTwin});
       replace(r, Stale_D, Event::FlushChangedQuiet, Invalid_D, {SendPut, DropTwin});
     }},
    {"AReleaseWaitsForItsNode", [](Rules &r) { r.releaseWaitsForNode = false; }},
    {"AnswersWaitForEarlierInvalidations", [](Rules &r) { r.answersWaitForEarlier = false; }},
    {"ServedBytesAreNoted",
     [](Rules &r) {
       for (BlockState s : {HomeDirty, HomeClosing})
         replace(r, s, Event::Get, s, {AddSharer, SendMemory});
     }},
    {"TwinsOverUntrackedBytesAreDistrusted",
     [](Rules &r) { replace(r, Shared, Event::WriteMissUntracked, HomeDirty, {MakeTwin}); }},
    {"UntrackedBytesAreFetchedBeforeAWrite",
     [](Rules &r) { replace(r, Clean, Event::WriteMissUntracked, Dirty, {MakeTwin}); }},
    {"AnAcquireEndsWritesOverUntrackedBytes",
     [](Rules &r) { r.acquireEndsUntrackedWrites = false; }},
    {"QuietIsAskedBeforeTheSnapshot", [](Rules &r) { r.quietBeforeSnapshot = false; }},
    {"AnAtomicKeepsItsThreadsPermissions", [](Rules &r) { r.atomicKeepsOwnPermissions = false; }},
};

class ModelRule : public testing::TestWithParam<NamedRule> {};
TEST_P(ModelRule, IsNeeded) {
  Rules rules;
  GetParam().breakIt(rules);
  std::string killer = killerOf(rules);
  std::cout << "  without it: " << killer << "\n";
  EXPECT_NE(killer, "");
}
INSTANTIATE_TEST_SUITE_P(Named, ModelRule, testing::ValuesIn(kNamedRules),
                         [](const testing::TestParamInfo<NamedRule> &info) {
                           return std::string(info.param.name);
                         });

/// Every transition that the litmus programs take, without one of its actions or with another next
/// state. Survivors are not wrong by themselves: some actions only save time, and some differences
/// need a longer program to show. They are printed, so that a change of the list is seen.
TEST(Model, MostSingleMutantsOfTheTablesAreKilled) {
  std::vector<Outcome> usual;
  for (const Litmus &litmus : litmuses()) {
    usual.push_back(explore(litmus, Rules()));
    ASSERT_EQ(usual.back().failure, "") << litmus.name;
  }
  unsigned killed = 0, survived = 0, unreached = 0;
  auto judge = [&](const Rules &rules, BlockState state, Event event, const std::string &change) {
    bool isKilled = false;
    for (std::size_t i = 0; i < usual.size() && !isKilled; ++i)
      // A program that never takes the transition does not notice.
      isKilled = usual[i].reached[std::size_t(state)][std::size_t(event)] &&
                 !explore(litmuses()[i], rules).failure.empty();
    ++(isKilled ? killed : survived);
    if (!isKilled)
      std::cout << "  survives: " << nameOf(state) << ", " << nameOf(event) << ": " << change
                << "\n";
  };
  for (unsigned s = 0; s < kBlockStateCount; ++s)
    for (unsigned e = 0; e < kEventCount; ++e) {
      BlockState state = BlockState(s);
      Event event = Event(e);
      const Transition original = Rules().cell(state, event);
      if (!original.possible)
        continue;
      if (std::none_of(usual.begin(), usual.end(),
                       [&](const Outcome &outcome) { return outcome.reached[s][e]; })) {
        ++unreached;
        std::cout << "  not reached: " << nameOf(state) << ", " << nameOf(event) << "\n";
        continue;
      }
      for (unsigned i = 0; i < Transition::kMaxActions; ++i)
        if (original.actions[i] != Action::None) {
          Rules rules;
          rules.cell(state, event).actions[i] = Action::None;
          judge(rules, state, event,
                "without action " + std::to_string(unsigned(original.actions[i])));
        }
      for (unsigned next = 0; next < kBlockStateCount; ++next)
        if (BlockState(next) != original.next &&
            isHomeState(BlockState(next)) == isHomeState(original.next)) {
          Rules rules;
          rules.cell(state, event).next = BlockState(next);
          judge(rules, state, event, std::string("to ") + nameOf(BlockState(next)));
        }
    }
  std::cout << "  " << killed << " killed, " << survived << " survived, " << unreached
            << " transitions not reached\n";
  EXPECT_GT(killed, 5 * survived);
}

} // namespace
} // namespace ompdsm::model
