// Team.h: the node's part in the job's OpenMP team: the orders that node 0 gives to the other
// nodes, and the distributed services that the OpenMP entries share.
//
// Node 0's initial thread orders: forks, barriers of regions in which a node has no threads, the
// exit. All travel on one ordered channel, so that a node meets them in the program's order. The
// other nodes obey in workerLoop(). Exists with nodes > 1 only in use; with one node it is inert.
#pragma once
#include "libompdsm/src/Conditions.h"
#include "libompdsm/src/CopyIn.h"
#include "libompdsm/src/CopyPrivate.h"
#include "libompdsm/src/DynamicSchedule.h"
#include "libompdsm/src/Foldings.h"
#include "libompdsm/src/Hints.h"
#include "libompdsm/src/InheritedState.h"
#include "libompdsm/src/IterationFlags.h"
#include "libompdsm/src/Leagues.h"
#include "libompdsm/src/Locks.h"
#include "libompdsm/src/Reduction.h"
#include "libompdsm/src/RemoteStreams.h"
#include "libompdsm/src/Single.h"
#include "libompdsm/src/Sites.h"
#include "libompdsm/src/SpreadRegion.h"
#include "libompdsm/src/StatisticsExchange.h"
#include "libompdsm/src/TaskSharing.h"
#include "libompdsm/src/ThreadPrivates.h"
#include "protocol/engine/Engine.h"
#include <deque>
#include <mutex>
#include <set>

namespace ompdsm {

struct Runtime;

/// Wire form of a fork, followed by argumentCount pointers. Pointers mean the same on all nodes.
struct ForkBody {
  std::uint64_t sequence = 0;
  Microtask microtask = nullptr;
  Ident *location = nullptr;
  std::uint32_t argumentCount = 0;
  std::uint32_t teamThreads = 0;
  // Internal control variables that the threads of the region inherit from node 0's initial thread.
  std::int32_t nestedThreads = 0;
  std::int32_t maxActiveLevels = 0;
  std::int32_t scheduleKind = 0;
  std::int32_t scheduleChunk = 0;
  InheritedState inherited;
  LeagueTeam league;     ///< Of the thread that starts the region.
  bool isLeague = false; ///< Its threads are the teams of a league.
};

/// Of nodes without threads in the team.
struct BarrierOrder {
  Join join = Join::No;
  SiteId site = kNoSite;
};

class Team {
public:
  explicit Team(Runtime &runtime);
  ~Team();
  Team(const Team &) = delete;
  Team &operator=(const Team &) = delete;

  /// Sets the messenger's handlers, before it starts. Called on the thread that will run main (node
  /// 0) or workerLoop(): on node 0 that thread becomes the one whose regions are spread.
  void registerHandlers();
  /// The life of a node other than 0, on its first thread. Leaves by _exit.
  [[noreturn]] void workerLoop();
  /// On node 0 after main: dismisses the other nodes and writes the statistics. Bounded in time.
  void finish();

  /// Size of an outermost team without a num_threads clause.
  unsigned defaultThreads() const { return defaultThreads_; }
  void setDefaultThreads(unsigned threads);
  /// What the program said by omp_set_dynamic; it changes nothing.
  bool isDynamic() const { return dynamic_.load(std::memory_order_relaxed); }
  void setDynamic(bool dynamic) { dynamic_.store(dynamic, std::memory_order_relaxed); }
  /// Whether the hint at `where` (a constant of the program) is the first from there that is
  /// useless.
  bool isFirstWarning(const char *where) { return warnedHints_.insert(where).second; }
  std::uint64_t nextRegionSequence() { return ++regionSequence_; }
  /// How many regions this node has spread.
  std::uint64_t regionsLaunched() const { return regionSequence_; }

  /// Whether a region is spread at present. Node 0; any thread.
  bool regionRuns() const { return regionRuns_.load(std::memory_order_relaxed); }
  void setRegionRuns(bool runs) { regionRuns_.store(runs, std::memory_order_relaxed); }

  /// Barrier over all nodes, by this node's leader while the node's other threads are offline.
  /// `location`: of the barrier, or of the region that a join ends; `code`: as for Sites::idOf.
  void barrierAcrossNodes(const SpreadRegion &region, const Ident *location, Join join,
                          const void *code);

  LockTable &locks() { return locks_; }
  Conditions &conditions() { return conditions_; }
  SingleClaims &singles() { return singles_; }
  ReductionExchange &reductions() { return reductions_; }
  DynamicLoops &loops() { return loops_; }
  IterationFlags &iterationFlags() { return iterationFlags_; }
  TaskSharing &tasks() { return tasks_; }
  CopyPrivates &copyPrivates() { return copyPrivates_; }
  CopyIns &copyIns() { return copyIns_; }
  ThreadPrivates &threadPrivates() { return threadPrivates_; }
  Sites &sites() { return sites_; }
  Leagues &leagues() { return leagues_; }
  Foldings &foldings() { return foldings_; }
  RemoteStreams &remoteStreams() { return remoteStreams_; }

private:
  enum class OrderKind { Fork, Barrier, Hint, Exit };
  struct Order {
    OrderKind kind = OrderKind::Fork;
    ForkBody fork;
    std::vector<void *> arguments;
    HintOrder hint;
    BarrierOrder barrier;
  };
  void enqueue(Order order);
  Order nextOrder();
  [[noreturn]] void leave();

  Runtime &runtime_;
  unsigned defaultThreads_ = 1;        ///< Node 0's initial thread only.
  std::uint64_t regionSequence_ = 0;   ///< Node 0's initial thread only.
  std::set<const char *> warnedHints_; ///< Node 0's initial thread only.
  std::atomic<bool> regionRuns_{false};
  std::atomic<bool> dynamic_{false};
  bool finished_ = false;
  std::mutex ordersMutex_; ///< Guards orders_; innermost.
  std::deque<Order> orders_;
  std::atomic<unsigned> orderCount_{0};
  LockTable locks_;
  Conditions conditions_;
  SingleClaims singles_;
  ReductionExchange reductions_;
  DynamicLoops loops_;
  IterationFlags iterationFlags_;
  TaskSharing tasks_;
  CopyPrivates copyPrivates_;
  CopyIns copyIns_;
  ThreadPrivates threadPrivates_;
  StatisticsExchange statistics_;
  Leagues leagues_;
  Foldings foldings_;
  RemoteStreams remoteStreams_;
  Sites sites_; ///< None if no statistics are wanted.
};

/// The team of the running job. Only where nodes > 1 is known.
Team &team();

/// The job runs on more than one node: false before the runtime exists, when the job has ended, and
/// in a forked child.
bool jobIsSpread();

} // namespace ompdsm
