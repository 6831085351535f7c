// Model.h: the protocol's tables in a world small enough to visit every state: up to three nodes
// with up to four threads in all, one block of two bytes whose home is node 0, ordered channels.
//
// What the engine does around the tables (flushes, acknowledgements, grace periods, atomics) is
// restated here in its smallest form; the tables themselves are the core's, in a copy that a mutant
// may change. Barriers and moving homes are not part of this model.
#pragma once
#include "protocol/core/Classify.h"
#include <cstdint>
#include <string>
#include <vector>

namespace ompdsm::model {

inline constexpr unsigned kNodes = 3, kThreads = 4, kBytes = 2, kQueue = 6, kAnswers = 4;

/// A litmus program is one list of these per thread. Loads and stores happen under the permission
/// of an earlier check, as in compiled code; the store of uninstrumented code needs none.
struct Operation {
  enum Kind : std::uint8_t {
    CheckRead,
    CheckWrite,
    Prefetch,
    Load,
    Store,
    Release,
    Post,
    Wait,
    Exchange,
    AtomicLoad
  };
  Kind kind;
  std::uint8_t byte = 0;  ///< Of loads, stores and atomics; the flag of Post and Wait.
  std::uint8_t value = 0; ///< Loads: what must be seen; else what is stored.
};
struct Program {
  std::uint8_t node;
  std::vector<Operation> operations;
};
struct Litmus {
  std::string name;
  std::vector<Program> threads;
  bool untracked = false; ///< Uninstrumented code of the home writes here.
};

/// The transitions and the engine's rules under test.
struct Rules {
  Rules(); ///< Those of the core and the engine.
  Transition &cell(BlockState state, Event event) {
    return cells[std::size_t(state)][std::size_t(event)];
  }
  const Transition &cell(BlockState state, Event event) const {
    return cells[std::size_t(state)][std::size_t(event)];
  }
  Transition cells[kBlockStateCount][kEventCount];
  bool channelsAreOrdered = true;         ///< Trap 4.
  bool releaseWaitsForNode = true;        ///< Trap 6.
  bool answersWaitForEarlier = true;      ///< Trap 7.
  bool quietBeforeSnapshot = true;        ///< A thread may store and become quiet during a flush.
  bool acquireEndsUntrackedWrites = true; ///< Trap 9: W over untracked bytes ends at an acquire.
  bool atomicKeepsOwnPermissions = true;  ///< An atomic operation is no synchronisation point.
};

struct Outcome {
  std::string failure; ///< Empty if every run ended well.
  std::vector<std::string> trace;
  std::size_t states = 0;
  bool reached[kBlockStateCount][kEventCount] = {};
};

/// Visits every state that the program can reach under the rules, until one is wrong: a load of a
/// wrong value, a deadlock, a transition that the tables call impossible, an end that is not quiet.
Outcome explore(const Litmus &litmus, const Rules &rules, bool wantTrace = false);

const char *nameOf(BlockState state);
const char *nameOf(Event event);

} // namespace ompdsm::model
