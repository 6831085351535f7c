// KmpEntry.cpp: the __kmpc_* entries of parallel regions and synchronisation whose meaning changes
// when a team spans nodes. Thin: each decides who serves the call. Loops are in LoopEntry.cpp.
//
// Outside spread regions (the serial part, nested regions, one node) libomp's own answer is right,
// and spreadFrame() is null.
#include "libompdsm/src/Barrier.h"
#include "libompdsm/src/Export.h"
#include "libompdsm/src/Leagues.h"
#include "libompdsm/src/RegionLaunch.h"
#include "libompdsm/src/Team.h"
#include "libompdsm/src/ThreadContext.h"
#include <alloca.h>
#include <cstdarg>
#include <utility>

using namespace ompdsm;

namespace {
/// Captured variables that a forwarded fork passes as arguments; more go through a trampoline.
constexpr int kForwardedArguments = 16;

Address lockOf(CriticalName *name) { return reinterpret_cast<Address>(name); }

/// Of a clause: 0 where it is not there.
unsigned positive(std::int32_t value) { return unsigned(std::max(value, 0)); }

void collect(void **arguments, int count, va_list list) {
  for (int i = 0; i < count; ++i)
    arguments[i] = va_arg(list, void *);
}

template <std::size_t... Index>
void forwardFork(Ident *location, int count, Microtask microtask, void **a,
                 std::index_sequence<Index...>) {
  // libomp reads the first `count` of them.
  libomp().__kmpc_fork_call(location, count, microtask, a[Index]...);
}
} // namespace

// --- Parallel regions.

OMPDSM_EXPORT void __kmpc_fork_call(Ident *location, std::int32_t count, Microtask microtask, ...) {
  void *few[kForwardedArguments] = {};
  void **arguments = few;
  if (count > kForwardedArguments)
    arguments = static_cast<void **>(alloca(std::size_t(count) * sizeof(void *)));
  va_list list;
  va_start(list, microtask);
  collect(arguments, count, list);
  va_end(list);
  if (startsSpreadRegion())
    return launchSpreadRegion(location, microtask,
                              std::vector<void *>(arguments, arguments + count));
  if (!jobIsSpread() && count <= kForwardedArguments)
    return forwardFork(location, count, microtask, arguments,
                       std::make_index_sequence<kForwardedArguments>());
  launchLocalRegion(libomp().__kmpc_fork_call, location, microtask, count, arguments);
}

// A league that begins in a parallel region runs on the node that starts it.
OMPDSM_EXPORT void __kmpc_fork_teams(Ident *location, std::int32_t count, Microtask microtask,
                                     ...) {
  std::vector<void *> arguments(std::size_t(std::max(count, 0)));
  va_list list;
  va_start(list, microtask);
  collect(arguments.data(), count, list);
  va_end(list);
  if (startsSpreadLeague())
    return team().leagues().run(location, microtask, arguments);
  launchLocalRegion(libomp().__kmpc_fork_teams, location, microtask, count, arguments.data());
}

OMPDSM_EXPORT void __kmpc_push_num_teams(Ident *location, std::int32_t gtid, std::int32_t teams,
                                         std::int32_t limit) {
  if (!startsSpreadLeague())
    return libomp().__kmpc_push_num_teams(location, gtid, teams, limit);
  team().leagues().ask({.mostTeams = positive(teams), .threadLimit = positive(limit)});
}

OMPDSM_EXPORT void __kmpc_push_num_teams_51(Ident *location, std::int32_t gtid, std::int32_t lower,
                                            std::int32_t upper, std::int32_t limit) {
  if (!startsSpreadLeague())
    return libomp().__kmpc_push_num_teams_51(location, gtid, lower, upper, limit);
  team().leagues().ask({.fewestTeams = positive(lower),
                        .mostTeams = positive(upper),
                        .threadLimit = positive(limit)});
}

OMPDSM_EXPORT void __kmpc_push_num_threads(Ident *location, std::int32_t gtid,
                                           std::int32_t threads) {
  if (!startsSpreadRegion())
    return libomp().__kmpc_push_num_threads(location, gtid, threads);
  currentThread.pendingThreads = unsigned(std::max(threads, 1));
}

OMPDSM_EXPORT void __kmpc_push_num_threads_strict(Ident *location, std::int32_t gtid,
                                                  std::int32_t threads, std::int32_t severity,
                                                  const char *message) {
  // A spread region has exactly the threads that were asked for, or the job ends.
  if (!startsSpreadRegion())
    return libomp().__kmpc_push_num_threads_strict(location, gtid, threads, severity, message);
  currentThread.pendingThreads = unsigned(std::max(threads, 1));
}

// libomp itself calls these two through our definitions when it makes a team of one thread; the
// calls come in pairs around the region, so that the count is right again after it.
OMPDSM_EXPORT void __kmpc_serialized_parallel(Ident *location, std::int32_t gtid) {
  currentThread.pendingThreads = 0; // The clause was this region's.
  ++currentThread.serializedDepth;
  libomp().__kmpc_serialized_parallel(location, gtid);
}

OMPDSM_EXPORT void __kmpc_end_serialized_parallel(Ident *location, std::int32_t gtid) {
  libomp().__kmpc_end_serialized_parallel(location, gtid);
  --currentThread.serializedDepth;
}

// --- Barrier and flush.

/// In a team of one, whose tasks are executed where they are made. libomp's barrier (22.1) asserts
/// there that the team has a task with an event, if it ever had one, as those are that other nodes
/// may get, and a nested region has ended.
static bool needsNoBarrier() {
  return jobIsSpread() && libomp().omp_get_num_threads() == 1 && !team().tasks().hasEvents() &&
         !libomp().omp_get_cancellation();
}

OMPDSM_EXPORT void __kmpc_barrier(Ident *location, std::int32_t gtid) {
  RegionFrame *frame = spreadFrame();
  if (!frame) {
    if (!needsNoBarrier())
      libomp().__kmpc_barrier(location, gtid);
    return;
  }
  if (location && (location->flags & kImplicitBarrierMask) == kBarrierOfSingle)
    team().singles().noteBarrier(*frame);
  barrierOfTeam(location, gtid, *frame, __builtin_return_address(0));
}

// Cancelling is refused in spread regions (UnsupportedConstructs), so there this is a barrier.
OMPDSM_EXPORT std::int32_t __kmpc_cancel_barrier(Ident *location, std::int32_t gtid) {
  RegionFrame *frame = spreadFrame();
  if (!frame)
    return needsNoBarrier() ? 0 : libomp().__kmpc_cancel_barrier(location, gtid);
  barrierOfTeam(location, gtid, *frame, __builtin_return_address(0));
  return 0;
}

OMPDSM_EXPORT void __kmpc_flush(Ident *location) {
  libomp().__kmpc_flush(location);
  if (jobIsSpread())
    releaseHere(); // An acquire, too: it is a synchronisation point, and invalidations come
                   // eagerly.
}

// --- One thread of the team.

OMPDSM_EXPORT std::int32_t __kmpc_single(Ident *location, std::int32_t gtid) {
  if (RegionFrame *frame = spreadFrame())
    return team().singles().claim(*frame, __builtin_return_address(0));
  return libomp().__kmpc_single(location, gtid);
}

OMPDSM_EXPORT std::int32_t __ompdsm_waited_single(void *location, std::int32_t gtid) {
  if (RegionFrame *frame = spreadFrame())
    return team().singles().claim(*frame, nullptr);
  return libomp().__kmpc_single(static_cast<Ident *>(location), gtid);
}

OMPDSM_EXPORT void __kmpc_end_single(Ident *location, std::int32_t gtid) {
  if (!spreadFrame())
    libomp().__kmpc_end_single(location, gtid);
}

OMPDSM_EXPORT std::int32_t __kmpc_masked(Ident *location, std::int32_t gtid, std::int32_t filter) {
  if (RegionFrame *frame = spreadFrame())
    return filter >= 0 && frame->globalThread == unsigned(filter);
  return libomp().__kmpc_masked(location, gtid, filter);
}

OMPDSM_EXPORT void __kmpc_end_masked(Ident *location, std::int32_t gtid) {
  if (!spreadFrame())
    libomp().__kmpc_end_masked(location, gtid);
}

OMPDSM_EXPORT std::int32_t __kmpc_master(Ident *location, std::int32_t gtid) {
  if (RegionFrame *frame = spreadFrame())
    return frame->globalThread == 0;
  return libomp().__kmpc_master(location, gtid);
}

OMPDSM_EXPORT void __kmpc_end_master(Ident *location, std::int32_t gtid) {
  if (!spreadFrame())
    libomp().__kmpc_end_master(location, gtid);
}

// --- Critical sections: any thread of any node, inside or outside of regions.

OMPDSM_EXPORT void __kmpc_critical_with_hint(Ident *location, std::int32_t gtid, CriticalName *name,
                                             std::uint32_t hint) {
  if (jobIsSpread())
    return team().locks().acquire(lockOf(name));
  libomp().__kmpc_critical_with_hint(location, gtid, name, hint);
}

OMPDSM_EXPORT void __kmpc_critical(Ident *location, std::int32_t gtid, CriticalName *name) {
  if (jobIsSpread())
    return team().locks().acquire(lockOf(name));
  libomp().__kmpc_critical(location, gtid, name);
}

OMPDSM_EXPORT void __kmpc_end_critical(Ident *location, std::int32_t gtid, CriticalName *name) {
  if (jobIsSpread())
    return team().locks().release(lockOf(name));
  libomp().__kmpc_end_critical(location, gtid, name);
}

// --- Reductions.

OMPDSM_EXPORT std::int32_t __ompdsm_reduce(Ident *location, std::int32_t gtid, std::int32_t count,
                                           std::uint64_t dataBytes, void *data,
                                           ReduceFunction combine, CriticalName *lock,
                                           std::size_t *sizes, std::int32_t nowait) {
  if (RegionFrame *frame = spreadFrame())
    return team().reductions().begin(*frame, {.location = location,
                                              .gtid = gtid,
                                              .count = count,
                                              .data = static_cast<void **>(data),
                                              .combine = combine,
                                              .lock = lock,
                                              .sizes = sizes,
                                              .nowait = nowait != 0});
  // Of teams: without sizes, one after the other; they never meet.
  if (RegionFrame *frame = leagueFrame())
    return team().reductions().begin(
        *frame,
        {.data = static_cast<void **>(data), .combine = combine, .lock = lock, .nowait = true});
  auto real = nowait ? libomp().__kmpc_reduce_nowait : libomp().__kmpc_reduce;
  return real(location, gtid, count, dataBytes, data, combine, lock);
}

// Calls that the pass did not replace know no sizes.
OMPDSM_EXPORT std::int32_t __kmpc_reduce(Ident *location, std::int32_t gtid, std::int32_t count,
                                         std::size_t dataBytes, void *data, ReduceFunction combine,
                                         CriticalName *lock) {
  return __ompdsm_reduce(location, gtid, count, dataBytes, data, combine, lock, nullptr, 0);
}

OMPDSM_EXPORT std::int32_t __kmpc_reduce_nowait(Ident *location, std::int32_t gtid,
                                                std::int32_t count, std::size_t dataBytes,
                                                void *data, ReduceFunction combine,
                                                CriticalName *lock) {
  return __ompdsm_reduce(location, gtid, count, dataBytes, data, combine, lock, nullptr, 1);
}

static void endReduction(Ident *location, std::int32_t gtid, CriticalName *lock, bool nowait) {
  if (RegionFrame *frame = spreadFrame())
    return team().reductions().end(*frame, location, gtid, lock, nowait);
  if (RegionFrame *frame = leagueFrame())
    return team().reductions().end(*frame, location, gtid, lock, /*nowait=*/true);
  auto real = nowait ? libomp().__kmpc_end_reduce_nowait : libomp().__kmpc_end_reduce;
  real(location, gtid, lock);
}

OMPDSM_EXPORT void __kmpc_end_reduce(Ident *location, std::int32_t gtid, CriticalName *lock) {
  endReduction(location, gtid, lock, /*nowait=*/false);
}

OMPDSM_EXPORT void __kmpc_end_reduce_nowait(Ident *location, std::int32_t gtid,
                                            CriticalName *lock) {
  endReduction(location, gtid, lock, /*nowait=*/true);
}
