// Litmus.h: small programs without data races, and what is known of them at each of their
// operations before they run.
#pragma once
#include "protocol/core/Classify.h"
#include <cstdint>
#include <string>
#include <vector>

namespace ompdsm::sim {

/// Sizes of the small world. Byte i belongs to block i / kBlockBytes.
inline constexpr unsigned kMaxNodes = 3, kMaxThreads = 4, kBlocks = 2, kBlockBytes = 2,
                          kBytes = kBlocks * kBlockBytes;

/// One operation of one thread. Loads and stores happen under the permission of an earlier check,
/// as in compiled code; raw ones are of code that is not instrumented and need none.
struct Operation {
  enum Kind : std::uint8_t {
    CheckRead,      ///< Of the blocks in `value`, a bit set.
    CheckWrite,     ///< The same.
    CheckOverwrite, ///< The same; the thread stores to every byte before it reads or synchronises.
    CheckRewrite,   ///< The same, but it may read before.
    Prefetch,       ///< Of the blocks in `value`.
    Load,           ///< Of `byte`.
    Store,          ///< `value` to `byte`.
    RawLoad,        ///< What uninstrumented code of the node has stored must still be there.
    RawStore,       ///< `value` to `byte`.
    Exchange,       ///< Atomic: `value` to `byte`.
    AtomicLoad,     ///< Of `byte`.
    AtomicStore,    ///< `value` to `byte`, as an update whose old value nobody wants.
    Add,            ///< The same, and the node keeps it beside the block while that is possible.
    Raise,          ///< The same as AtomicStore, if what is there is less.
    Lease,          ///< Of the block of `byte`: what is fetched next serves atomic loads, too. They
                    ///< may find old values then; of X they must ascend, if all that is stored does.
    Tell,           ///< Sets flag `value` by a relaxed atomic: no synchronisation point.
    Watch,          ///< Until flag `value` is set, likewise.
    ProposeHome,    ///< A hint: the unit of `byte` is to move to node `value`.
    Evict,          ///< The copies of the blocks in `value` are given up, where that is possible.
    Release,        ///< Towards the nodes in `byte` alone, if there are any: each gets a Post next.
    Drop,           ///< A synchronisation point; the memory of what was given up goes, if it may.
    Post,           ///< Sets flag `value`, or tells the nodes in `byte`; a synchronisation point.
    Wait,           ///< Until flag `value` is set, or if `byte` is 1 told to this node; an acquire.
    Begin,          ///< A release that is sent, and of which no node is asked anything yet.
    Give,           ///< Of the release that began with the same `value` the other nodes are asked;
                    ///< node `byte` alone hears, by flag `value`, before it has confirmed it.
    Take,           ///< Until flag `value` is given to this node, and what goes with it is here; an
                    ///< acquire.
    Lock,           ///< Lock `value`, by whatever order; an acquire.
    Unlock,         ///< Lock `value`; a synchronisation point.
    Barrier,        ///< Over all nodes: one thread of each, while the others are offline. A join if
                    ///< `value` is 1. The blocks in `byte` are expected to be read behind it.
    Offline,        ///< The thread leaves instrumented code, and its permissions behind.
    Online,         ///< It comes back; an acquire.
  };
  Kind kind;
  std::uint8_t byte = 0;
  std::uint8_t value = 0;

  bool isSynchronisation() const { return kind >= Release; }
};
struct Program {
  std::uint8_t node;
  std::vector<Operation> operations;
};

struct BlockTraits {
  std::uint8_t home = 0;
  bool untracked = false;  ///< Code that is not instrumented writes here, at the home.
  bool foreign = false;    ///< And the program reads it.
  bool migratable = false; ///< Its home may move at barriers.
  bool resized = false;    ///< Its size changes at barriers, wherever it may.
  std::uint8_t readers = 0; ///< Nodes that are expected to read what others change.
  std::uint8_t supplied = 0; ///< Nodes that are expected to read it behind barriers, copy or not.
  bool watched = false;     ///< Whether they do is to be noticed.
  Keeping keeping = Keeping::Copy; ///< What is kept of it by who has overwritten it.
  bool closes = false;             ///< The home is not expected to write it in two intervals.
  bool dense = false;              ///< The home is expected to write most of it.
  bool unwritten = false;          ///< The home is not expected to write it once it has sent it.
  bool saysSole = false;           ///< The home tells who puts that it is the only sharer.

  /// Whether all of it may come unasked: what has crossed that must be known.
  bool comesWhole() const { return untracked || dense || supplied != 0; }
};

/// What a run may cost at most, where a program is about that: messages of each kind in all.
struct Cost {
  static constexpr std::uint8_t kAny = 255;
  std::uint8_t gets = kAny, puts = kAny, invalidates = kAny, dones = kAny;
  bool isAny() const {
    return gets == kAny && puts == kAny && invalidates == kAny && dones == kAny;
  }
};
/// The states in which a run may leave a block, separated by spaces, where a program is about that.
struct Ending {
  std::uint8_t node, block;
  const char *states;
};

struct Litmus {
  std::string name;
  std::vector<Program> threads;
  BlockTraits blocks[kBlocks] = {{}, {1}};
  bool oneUnit = false; ///< Both blocks are one unit of home movement.
  Cost most{};
  std::vector<Ending> endings{};

  unsigned nodeCount() const;
  bool has(Operation::Kind kind) const;
  bool isAboutCost() const { return !most.isAny() || !endings.empty(); }
};

/// All programs, in the order in which mutants meet them.
const std::vector<Litmus> &allLitmuses();

/// What a thread holds before an operation, which follows from its program alone: sets of blocks
/// that it may read and write, sets of bytes touched in this interval, stored since its last
/// release, and changed by its own atomic operations since its last check (whose result a copy need
/// not show).
struct Held {
  std::uint8_t readable = 0, writable = 0, touched = 0, unreleased = 0, outdated = 0;
};
/// For each thread, what it holds before each operation and after the last.
std::vector<std::vector<Held>> holdingsOf(const Litmus &litmus);
/// What is wrong with a program: an access without permission, a data race, an end that cannot be
/// reached; empty if nothing is.
std::string faultOf(const Litmus &litmus);

/// "CheckWrite X", "Wait a" and so on.
std::string toString(const Operation &operation);

} // namespace ompdsm::sim
