// Program.h: a program for the simulator, and all that a seed decides about its run.
#pragma once
#include "protocol/sim/simulator/Network.h"
#include "protocol/sim/simulator/Space.h"
#include <string>
#include <vector>

namespace ompdsm::simulator {

/// One operation of one thread. Loads and stores happen under the permission of an earlier check in
/// the same interval, as in compiled code; raw ones are of code that is not instrumented.
struct Operation {
  enum Kind : std::uint8_t {
    CheckRead, ///< Of a range.
    CheckWrite,
    CheckOverwrite, ///< As CheckWrite; a store to all of the range is next.
    Prefetch,
    Load,    ///< A range, each byte against the last store that happens before.
    Store,   ///< A range; `value` decides the bytes.
    RawLoad, ///< What this node's uninstrumented code has stored must still be there.
    RawStore,
    AtomicAdd, ///< `value` to the first byte of the range.
    AtomicLoad,
    ProposeHome, ///< A hint: the unit of the range's first byte is to move to node `name`.
    Release,
    Post,    ///< A release, then sets flag `name` by a message.
    Await,   ///< Until flag `name` is set; an acquire.
    Tell,    ///< A release, then sets the byte by an atomic operation.
    Watch,   ///< Until the byte is set, by atomic loads; an acquire.
    Lock,    ///< Lock `name`; an acquire.
    Unlock,  ///< Lock `name`: a release before it leaves the node.
    Barrier, ///< Over all threads but outsiders. The range is expected to be read behind it.
  };
  Kind kind;
  std::uint8_t value = 0;
  Range range{};
  std::uint32_t name = 0;

  /// The thread holds no permission afterwards. (A lock may be handed on without that.)
  bool synchronises() const { return kind >= Release && kind != Unlock; }
};
std::string toString(const Operation &operation);

/// The byte that a store with `value` puts at an address. Small ones are the same everywhere, so
/// that stores are often silent.
constexpr std::uint8_t storedByte(std::uint8_t value, std::uint32_t byte) {
  return value < 8 ? value : std::uint8_t(value + 7 * byte);
}

struct ThreadProgram {
  NodeId node = 0;
  bool isOutsider = false; ///< Made by the program itself: takes no part in barriers.
  std::vector<Operation> operations{};
};

struct Program {
  std::string name;
  unsigned nodes = 1;
  Space space;
  std::vector<ThreadProgram> threads;           ///< By node; the first of a node leads in barriers.
  std::vector<std::vector<NodeId>> flagReaders; ///< By flag: the nodes that await it.
};

/// How it runs.
struct Scenario {
  std::uint64_t seed = 0;
  Program program;
  Network network;
  Time mostDelay = 0; ///< A message may be delayed by that much, beyond the network's latency.
  /// From some nodes to some others, messages of a class take that much more; 0: from none.
  Time detour = 0;
  std::uint32_t cacheLimit = 0; ///< Bytes of other nodes' memory that a node keeps; 0: no limit.
  /// Of the sharers of blocks, one of so many is expected to read what changes; 0: none is.
  unsigned pushOneIn = 0;
  /// What two nodes or more get alike goes by a tree; else as core/Multicast.h says.
  bool treesOfFew = false;
  bool multicastsHavePlaces = true; ///< False: they are handled as they come, which must fail.
  /// Nodes do not keep, or watch, one of so many blocks that they have overwritten; 0: none.
  unsigned awayOneIn = 0;
  Time mostPause = 0;           ///< A thread may compute for that long between operations.
  /// Threads of the node go on between the halves of one of so many flushes of a block; 0: of none.
  unsigned splitFlushes = 0;
  std::vector<unsigned> slowness; ///< By node: factor on all its processor's times.
};

} // namespace ompdsm::simulator
