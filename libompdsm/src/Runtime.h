// Runtime.h: the one object that holds the runtime's state; the only mutable global of the library.
#pragma once
#include "fabric/Bootstrap.h"
#include "libompdsm/src/AddressSpace.h"
#include "libompdsm/src/HostCores.h"
#include "libompdsm/src/InitialGlobals.h"
#include "libompdsm/src/MappedMemory.h"
#include "libompdsm/src/Options.h"
#include "libompdsm/src/ProgramOutput.h"
#include "libompdsm/src/VariableExtents.h"
#include "protocol/engine/AddressMap.h"
#include "protocol/engine/Engine.h"
#include "protocol/engine/EventLog.h"
#include "protocol/engine/Messenger.h"
#include <atomic>
#include <memory>
#include <pthread.h>
#include <sys/types.h>

namespace ompdsm {

class LargeLocals;
class Network;
class ObjectFetches;
class PageFaults;
class SharedHeap;
class SharedStacks;
class Team;

/// Built by the library's constructor (Entry.cpp) before any instrumented code runs, never
/// destroyed. Members are created top down; `messenger` and `engine` are null with one node.
struct Runtime {
  Options options;
  NodeId node = 0;
  unsigned nodes = 1;
  unsigned wantedThreads =
      0;               ///< Of the whole team, as the user asked; 0: not said. With nodes > 1.
  HostCores hostCores; ///< With nodes > 1.
  std::unique_ptr<fabric::Bootstrap> bootstrap; ///< Null without a launcher.
  std::unique_ptr<AddressSpace> addressSpace;   ///< Reservations, state table, areas.
  AddressMap addressMap;
  VariableExtents variables;              ///< None with one node.
  InitialGlobals initialGlobals;          ///< Empty on node 0.
  std::unique_ptr<PageFaults> pageFaults; ///< Null where the system does not allow it.
  std::unique_ptr<Network> network;
  fabric::Transport *transport = nullptr; ///< The network's, decorators included.
  std::unique_ptr<EventLog> events;       ///< Null unless a trace is asked for.
  std::unique_ptr<Messenger> messenger;
  std::unique_ptr<Engine> engine;
  std::unique_ptr<ObjectFetches> objectFetches; ///< Null with one node.
  std::unique_ptr<SharedHeap> heap;
  std::unique_ptr<LargeLocals> largeLocals; ///< Null with one node.
  std::unique_ptr<SharedStacks> stacks;
  std::unique_ptr<Team> team; ///< The OpenMP side (KmpEntry and its companions).
  ProgramOutput output;       ///< Of use with nodes > 1.

  HeapPages heapPages; ///< With one node.

  AddressRange openmpLibrary;    ///< Where libomp lies.
  AddressRange networkLibrary;   ///< Where libfabric lies; empty with one node.
  AddressRange allocatorLibrary; ///< Where jemalloc lies.
  pthread_key_t endOfThread{};   ///< Its destructor takes a program thread out of the engine.
  pid_t process = 0;             ///< A forked child has another number.
  /// Nothing may be asked of other nodes any more: the job has ended, or this is a forked child.
  std::atomic<bool> ended{false};

  int (*programMain)(int, char **, char **) = nullptr; ///< Node 0 only.
  std::atomic<int> exitStatus{1};                      ///< Known once exit runs its handlers.

  bool spread() const { return nodes > 1; }
};

/// The runtime, or null while the library is not yet initialised (calls that libraries make
/// before). While the constructor builds it, its members may still be null.
inline Runtime *runtime();

/// The last act of a node that ends in order, just before _exit or the end of exit(): stops the
/// messenger, tells the launcher, and closes the network, so that nothing is left on the host.
void leaveJob(Runtime &job);

namespace detail {
extern std::atomic<Runtime *> theRuntime;
}
inline Runtime *runtime() {
  // Acquire pairs with the release in Entry.cpp.
  return detail::theRuntime.load(std::memory_order_acquire);
}

} // namespace ompdsm
