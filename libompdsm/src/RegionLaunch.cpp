// RegionLaunch.cpp: fork and join.
#include "libompdsm/src/RegionLaunch.h"
#include "libompdsm/src/Barrier.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/FoldedRegion.h"
#include "libompdsm/src/ForeignCode.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/SourceLocation.h"
#include "libompdsm/src/Team.h"
#include "libompdsm/src/TeamMessages.h"
#include "libompdsm/src/TeamSize.h"
#include "libompdsm/src/ThreadContext.h"
#include <cstring>
#include <numeric>
#include <optional>
#include <utility>

namespace ompdsm {

namespace {

void invoke(Microtask microtask, std::int32_t gtid, unsigned tid, int count, void **arguments) {
  // The exit frame is where a libomp with tool support (OMPT) writes; others ignore the argument.
  void *exitFrame = nullptr;
  libomp().__kmp_invoke_microtask(microtask, gtid, int(tid), count, arguments, &exitFrame);
}

/// The calling thread is a team of its own, for libomp, too.
class AloneScope {
public:
  AloneScope(Ident *location, std::int32_t gtid) : location_(location), gtid_(gtid) {
    ++currentThread.serializedDepth;
    libomp().__kmpc_serialized_parallel(location, gtid);
  }
  ~AloneScope() {
    libomp().__kmpc_end_serialized_parallel(location_, gtid_);
    --currentThread.serializedDepth;
  }
  AloneScope(const AloneScope &) = delete;
  AloneScope &operator=(const AloneScope &) = delete;

private:
  Ident *const location_;
  const std::int32_t gtid_;
};

/// How long the node's threads have waited for other nodes inside of regions.
std::uint64_t waitedNanoseconds() {
  const EngineStatistics &engine = runtime()->engine->statistics();
  return engine.nanosecondsInMisses.load(std::memory_order_relaxed) +
         engine.nanosecondsInReleases.load(std::memory_order_relaxed) +
         team().locks().statistics().nanoseconds.load(std::memory_order_relaxed);
}

/// Measures how long the node's first thread works in a region for which that is asked.
class WorkWatch {
public:
  WorkWatch(SpreadRegion &region, const RegionFrame &frame)
      : region_(region), isActive_(region.isWatched && frame.localThread == 0) {
    if (isActive_) {
      waited_ = waitedNanoseconds();
      begin_ = steadyNanoseconds();
    }
  }
  ~WorkWatch() {
    if (!isActive_)
      return;
    const std::uint64_t end =
        region_.reductionBegan != 0 ? region_.reductionBegan : steadyNanoseconds();
    const std::uint64_t waited = (waitedNanoseconds() - waited_) / region_.localThreads;
    region_.useful = end - begin_ - std::min(end - begin_, waited);
  }
  WorkWatch(const WorkWatch &) = delete;
  WorkWatch &operator=(const WorkWatch &) = delete;

private:
  SpreadRegion &region_;
  const bool isActive_;
  std::uint64_t waited_ = 0, begin_ = 0;
};

/// What each thread of a spread region runs, called by libomp with the node's SpreadRegion.
void spreadTrampoline(std::int32_t *gtid, std::int32_t *, SpreadRegion *region) {
  const LibompShim &shim = libomp();
  unsigned threads = unsigned(shim.omp_get_num_threads());
  if (threads != region->localThreads)
    fatal(
        "node %u asked its OpenMP runtime for %u threads and got %u: raise OMP_THREAD_LIMIT or the "
        "process limit, unset OMP_DYNAMIC, or ask for fewer threads",
        region->node, region->localThreads, threads);
  RegionFrame frame;
  frame.region = region;
  frame.localThread = unsigned(shim.omp_get_thread_num());
  frame.globalThread = region->firstThread + frame.localThread;
  frame.implicitTask = &region->implicitTasks[frame.localThread];
  frame.implicitTask->root = frame.globalThread;
  OnlineScope online;
  FrameScope scope(frame);
  if (region->isLeague) {
    AloneScope alone(region->location, *gtid);
    invokeMicrotask(region->microtask, *gtid, 0, region->arguments);
  } else {
    const WorkWatch watch(*region, frame);
    invokeMicrotask(region->microtask, *gtid, frame.localThread, region->arguments);
  }
  awaitTasksOfTeam(nullptr, *gtid, frame, reinterpret_cast<const void *>(region->microtask));
}

struct LocalRegion {
  Microtask microtask;
  int argumentCount;
  void **arguments;
  const RegionFrame *enclosing;
};

/// What each thread of a region inside this node runs.
void localTrampoline(std::int32_t *gtid, std::int32_t *tid, LocalRegion *region) {
  RegionFrame frame;
  frame.enclosing = region->enclosing;
  OnlineScope online;
  FrameScope scope(frame);
  invoke(region->microtask, *gtid, unsigned(*tid), region->argumentCount, region->arguments);
}

/// Forks the node's threads, and joins them and all nodes.
void runPart(Ident *location, SpreadRegion &region) {
  runtime()->engine->fetchExpected();
  const LibompShim &shim = libomp();
  std::int32_t gtid = shim.__kmpc_global_thread_num(location);
  shim.__kmpc_push_num_threads(location, gtid, std::int32_t(region.localThreads));
  shim.__kmpc_fork_call(location, 1, reinterpret_cast<Microtask>(spreadTrampoline), &region);
  // From here on this node waits for node 0's next order.
  if (region.node != 0)
    runtime()->engine->setFollowing(true);
  team().barrierAcrossNodes(region, location, Join::Yes,
                            reinterpret_cast<const void *>(region.microtask));
  team().loops().endRegion(region.sequence);
  team().iterationFlags().endRegion(region.sequence);
}

SiteId siteOfBegin(const ForkBody &fork) {
  return team().sites().idOf(fork.location, SiteKind::RegionBegin,
                             reinterpret_cast<const void *>(fork.microtask));
}

void initialise(SpreadRegion &region, const Runtime &job, const ForkBody &fork,
                std::vector<void *> arguments) {
  region.sequence = fork.sequence;
  region.layout = {.threads = fork.teamThreads, .nodes = job.nodes};
  region.node = job.node;
  region.localThreads = region.layout.threadsOn(job.node);
  region.firstThread = region.layout.firstOn(job.node);
  region.location = fork.location;
  region.microtask = fork.microtask;
  region.league = fork.league;
  region.isLeague = fork.isLeague;
  region.arguments = std::move(arguments);
  region.reductionData.resize(region.localThreads);
  region.implicitTasks = std::make_unique<TaskNode[]>(region.localThreads);
  region.sharesTasks = team().tasks().isSharedIn(region);
  if (region.sharesTasks)
    team().tasks().beginRegion(region);
}

/// Ends the job if the region's code has no checks.
void requireInstrumented(const Ident *location, Microtask microtask) {
  if (!isInstrumented(reinterpret_cast<const void *>(microtask)))
    fatal(
        "the parallel region at %s was not compiled with the plugin of ompdsm, so it cannot run on "
        "several nodes: compile it with ompdsm-clang, or run with -n 1",
        sourceLine(location).c_str());
}

/// The region by node 0 alone, whose threads would have these numbers.
void launchFolded(Ident *location, Microtask microtask, std::vector<void *> arguments,
                  const TeamLayout &spread, unsigned byThreads) {
  FoldedReductions reductions(spread);
  SpreadRegion region;
  region.sequence = team().nextRegionSequence();
  region.layout = {.threads = spread.threads, .nodes = 1};
  region.localThreads = spread.threads;
  region.location = location;
  region.microtask = microtask;
  region.arguments = std::move(arguments);
  region.league = currentThread.league;
  region.folded = &reductions;
  runFolded(region, byThreads);
  team().copyIns().release();
}

} // namespace

void invokeMicrotask(Microtask microtask, std::int32_t gtid, unsigned tid,
                     std::vector<void *> &arguments) {
  invoke(microtask, gtid, tid, int(arguments.size()), arguments.data());
}

void launchSpreadRegion(Ident *location, Microtask microtask, std::vector<void *> arguments,
                        RegionKind kind) {
  Runtime &job = *runtime();
  Team &spreadTeam = team();
  const LibompShim &shim = libomp();
  unsigned threads = std::exchange(currentThread.pendingThreads, 0);
  if (threads == 0)
    threads = spreadTeam.defaultThreads();
  if (const unsigned limit = spreadTeam.leagues().threadLimit())
    threads = std::min(threads, limit);
  if (shim.omp_get_max_active_levels() == 0)
    threads = 1;
  if (threads == 1 || shim.omp_get_cancellation()) {
    // A team of one has nothing to spread; its nested regions stay here, too. What may be cancelled
    // is libomp's, which knows how.
    shim.__kmpc_push_num_threads(location, shim.__kmpc_global_thread_num(location),
                                 std::int32_t(threads));
    launchLocalRegion(shim.__kmpc_fork_call, location, microtask, int(arguments.size()),
                      arguments.data());
    spreadTeam.copyIns().release();
    return;
  }
  if (const Status status =
          checkTeamSize("the parallel region at " + sourceLine(location), threads, job.nodes);
      !status.isOk())
    fatal("%s", status.message().c_str());
  requireInstrumented(location, microtask);
  const TeamLayout layout{.threads = threads, .nodes = job.nodes};
  const bool mayFold =
      kind == RegionKind::Parallel && isFoldable(reinterpret_cast<const void *>(microtask));
  std::optional<Foldings::Visit> visit =
      spreadTeam.foldings().begin(location, microtask, arguments, mayFold, layout.threadsOn(0));
  if (visit && visit->foldedThreads() != 0) {
    launchFolded(location, microtask, std::move(arguments), layout, visit->foldedThreads());
    return visit->end(0);
  }
  const std::vector<void *> forOthers = spreadTeam.copyIns().forOtherNodes(location, arguments);
  ForkBody fork;
  fork.sequence = spreadTeam.nextRegionSequence();
  fork.microtask = microtask;
  fork.location = location;
  fork.argumentCount = std::uint32_t(arguments.size());
  fork.teamThreads = threads;
  fork.nestedThreads = std::int32_t(spreadTeam.defaultThreads());
  fork.maxActiveLevels = shim.omp_get_max_active_levels();
  shim.omp_get_schedule(&fork.scheduleKind, &fork.scheduleChunk);
  fork.inherited = InheritedState::ofCaller();
  fork.league = currentThread.league;
  fork.isLeague = kind == RegionKind::League;
  std::size_t bytes = arguments.size() * sizeof(void *);
  if (sizeof(fork) + bytes > Messenger::kMaxBodyBytes)
    fatal("a parallel region captures %zu variables, more than one message can carry; put them "
          "into a "
          "structure",
          arguments.size());

  SpreadRegion region;
  initialise(region, job, fork, std::move(arguments));
  region.isWatched = visit.has_value();
  spreadTeam.singles().beginRegion(region.sequence);
  // Before any node starts, what the serial part wrote is at its homes, and what it printed is out.
  std::vector<NodeId> others(region.layout.nodesInTeam() - 1);
  std::iota(others.begin(), others.end(), NodeId(1));
  job.engine->comeTo(siteOfBegin(fork));
  if (!others.empty())
    releaseTo(others);
  for (NodeId node : others)
    job.messenger->post(node, messageKind(TeamMessage::Fork),
                        {bytesOf(fork), std::as_bytes(std::span(forOthers))});
  job.messenger->flush();
  spreadTeam.setRegionRuns(true);
  runPart(location, region);
  spreadTeam.setRegionRuns(false);
  spreadTeam.copyIns().release();
  if (visit)
    visit->end(region.useful);
}

void joinSpreadRegion(const ForkBody &fork, std::vector<void *> arguments) {
  const LibompShim &shim = libomp();
  if (shim.omp_get_max_threads() != fork.nestedThreads)
    shim.omp_set_num_threads(fork.nestedThreads);
  if (shim.omp_get_max_active_levels() != fork.maxActiveLevels)
    shim.omp_set_max_active_levels(fork.maxActiveLevels);
  shim.omp_set_schedule(fork.scheduleKind, fork.scheduleChunk);
  fork.inherited.apply();
  SpreadRegion region;
  initialise(region, *runtime(), fork, std::move(arguments));
  runtime()->engine->setFollowing(false);
  runtime()->engine->comeTo(siteOfBegin(fork));
  runPart(fork.location, region);
}

void launchLocalRegion(decltype(LibompShim::__kmpc_fork_call) fork, Ident *location,
                       Microtask microtask, int argumentCount, void **arguments) {
  const RegionFrame *enclosing = enclosingSpreadFrame();
  const LibompShim &shim = libomp();
  // libomp does not count the spread region's level as active where it has one thread.
  if (enclosing && (enclosing->region->isLeague ||
                    (enclosing->region->localThreads == 1 &&
                     shim.omp_get_active_level() + 1 >= shim.omp_get_max_active_levels())))
    shim.__kmpc_push_num_threads(location, shim.__kmpc_global_thread_num(location), 1);
  LocalRegion region{microtask, argumentCount, arguments, enclosing};
  fork(location, 1, reinterpret_cast<Microtask>(localTrampoline), &region);
}

} // namespace ompdsm
