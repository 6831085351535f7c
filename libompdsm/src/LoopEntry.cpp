// LoopEntry.cpp: the __kmpc_* entries of worksharing loops (and of sections, which clang makes
// loops): static ones by thread number, dispatched ones through DynamicLoops.
#include "libompdsm/src/Export.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/Leagues.h"
#include "libompdsm/src/Ordered.h"
#include "libompdsm/src/SourceLocation.h"
#include "libompdsm/src/Team.h"
#include "libompdsm/src/ThreadContext.h"
#include "libompdsm/src/Worksharing.h"
#include <limits>

using namespace ompdsm;

namespace {

[[noreturn]] void unsupportedSchedule(const Ident *location, std::int32_t schedule) {
  fatal("the loop schedule at %s (number %d) is not supported on more than one node yet; run with "
        "-n 1",
        sourceLine(location).c_str(), schedule);
}

/// A thread in its team, or a team in its league.
struct Member {
  unsigned number;
  unsigned count;
};

Member threadOf(const RegionFrame &frame) {
  return {frame.globalThread, frame.region->layout.threads};
}

/// The calling one in its team, of this node or of all.
Member threadHere() {
  if (const RegionFrame *frame = spreadFrame())
    return threadOf(*frame);
  return {unsigned(libomp().omp_get_thread_num()), unsigned(libomp().omp_get_num_threads())};
}

template <class T, class S>
void staticInit(Member member, const Ident *location, Schedule schedule, std::int32_t *last,
                T *lower, T *upper, S *stride, S increment, S chunk) {
  LoopBounds loop{.lower = *lower, .upper = *upper, .increment = increment};
  if (loop.tripCount() == 0) {
    // Compiled code tests the bounds as they are.
    *last = 0;
    *stride = increment;
    return;
  }
  constexpr Wide minimum = std::numeric_limits<T>::min(), maximum = std::numeric_limits<T>::max();
  StaticPart part;
  switch (schedule) {
  case Schedule::Static:
  case Schedule::Distribute:
    part = staticPart(loop, member.number, member.count, minimum, maximum);
    break;
  case Schedule::StaticChunked:
  case Schedule::StaticChunkedSimd:
  case Schedule::DistributeChunked:
    part = staticChunkedPart(loop, chunk, member.number, member.count, minimum, maximum);
    break;
  default:
    unsupportedSchedule(location, std::int32_t(schedule));
  }
  *last = part.last;
  *lower = T(part.lower);
  *upper = T(part.upper);
  *stride = S(part.stride);
}

/// Of `distribute parallel for` as one loop: the team's part, and of that the thread's.
template <class T, class S>
void staticInitInTeam(const LeagueTeam &team, Member thread, const Ident *location,
                      Schedule schedule, std::int32_t *last, T *lower, T *upper, T *upperOfTeam,
                      S *stride, S increment, S chunk) {
  std::int32_t isLastTeam = 0;
  *upperOfTeam = *upper;
  staticInit<T, S>({team.number, team.teams}, location, Schedule::Distribute, &isLastTeam, lower,
                   upperOfTeam, stride, increment, chunk);
  *upper = *upperOfTeam;
  staticInit<T, S>(thread, location, schedule, last, lower, upper, stride, increment, chunk);
  *last = *last && isLastTeam;
}

/// schedule(runtime): what OMP_SCHEDULE or omp_set_schedule said on this thread.
Schedule runtimeSchedule(Wide &chunk, bool &monotonic) {
  int kind = 0, size = 0;
  libomp().omp_get_schedule(&kind, &size);
  chunk = size;
  constexpr int monotonicBit = int(0x80000000); // omp_sched_monotonic
  monotonic |= (kind & monotonicBit) != 0;
  switch (kind & ~monotonicBit) {
  case 1:
    return Schedule::Static;
  case 2:
    return Schedule::Dynamic;
  case 3:
    return Schedule::Guided;
  default:
    return Schedule::Auto;
  }
}

void dispatchInit(RegionFrame &frame, const Ident *location, std::int32_t value,
                  const LoopBounds &loop, Wide chunk) {
  Schedule schedule = scheduleOf(value);
  const bool ordered = isOrdered(schedule);
  if (ordered)
    schedule = withoutOrder(schedule);
  // Iterations that wait for earlier ones of the loop must be taken in its order.
  bool monotonic = isMonotonic(value) || ordered || frame.doacross;
  switch (schedule) {
  case Schedule::Runtime:
  case Schedule::RuntimeSimd:
    schedule = runtimeSchedule(chunk, monotonic);
    break;
  case Schedule::Static:
    chunk = 0; // One contiguous part for each thread, whatever the caller passes.
    break;
  case Schedule::StaticChunked:
  case Schedule::Dynamic:
  case Schedule::Guided:
  case Schedule::GuidedSimd:
  case Schedule::Auto:
    break;
  default:
    unsupportedSchedule(location, value);
  }
  if (schedule == Schedule::Auto)
    chunk = 1;
  if (ordered)
    frame.ordered = {.active = true, .loop = frame.loopsMet};
  team().loops().begin(frame, schedule, loop, chunk, monotonic);
}

} // namespace

#define OMPDSM_LOOP_ENTRIES(suffix, T, S)                                                          \
  OMPDSM_EXPORT void __kmpc_for_static_init##suffix(                                               \
      Ident *location, std::int32_t gtid, std::int32_t schedule, std::int32_t *last, T *lower,     \
      T *upper, S *stride, S increment, S chunk) {                                                 \
    const Schedule kind = scheduleOf(schedule);                                                    \
    if (isDistribute(kind)) {                                                                      \
      if (const LeagueTeam team = leagueTeam(); team.teams)                                        \
        return staticInit<T, S>({team.number, team.teams}, location, kind, last, lower, upper,     \
                                stride, increment, chunk);                                         \
    } else if (RegionFrame *frame = spreadFrame()) {                                               \
      return staticInit<T, S>(threadOf(*frame), location, kind, last, lower, upper, stride,        \
                              increment, chunk);                                                   \
    }                                                                                              \
    libomp().__kmpc_for_static_init##suffix(location, gtid, schedule, last, lower, upper, stride,  \
                                            increment, chunk);                                     \
  }                                                                                                \
  OMPDSM_EXPORT void __kmpc_dist_for_static_init##suffix(                                          \
      Ident *location, std::int32_t gtid, std::int32_t schedule, std::int32_t *last, T *lower,     \
      T *upper, T *upperOfTeam, S *stride, S increment, S chunk) {                                 \
    if (const LeagueTeam team = leagueTeam(); team.teams)                                          \
      return staticInitInTeam<T, S>(team, threadHere(), location, scheduleOf(schedule), last,      \
                                    lower, upper, upperOfTeam, stride, increment, chunk);          \
    libomp().__kmpc_dist_for_static_init##suffix(location, gtid, schedule, last, lower, upper,     \
                                                 upperOfTeam, stride, increment, chunk);           \
  }                                                                                                \
  OMPDSM_EXPORT void __kmpc_dispatch_init##suffix(Ident *location, std::int32_t gtid,              \
                                                  std::int32_t schedule, T lower, T upper,         \
                                                  S increment, S chunk) {                          \
    if (RegionFrame *frame = spreadFrame())                                                        \
      return dispatchInit(*frame, location, schedule,                                              \
                          {.lower = lower, .upper = upper, .increment = increment}, chunk);        \
    libomp().__kmpc_dispatch_init##suffix(location, gtid, schedule, lower, upper, increment,       \
                                          chunk);                                                  \
  }                                                                                                \
  OMPDSM_EXPORT int __kmpc_dispatch_next##suffix(                                                  \
      Ident *location, std::int32_t gtid, std::int32_t *last, T *lower, T *upper, S *stride) {     \
    RegionFrame *frame = spreadFrame();                                                            \
    if (!frame)                                                                                    \
      return libomp().__kmpc_dispatch_next##suffix(location, gtid, last, lower, upper, stride);    \
    StaticPart part;                                                                               \
    if (!team().loops().next(*frame, part))                                                        \
      return 0; /* And `last` stays as the last chunk left it. */                                  \
    if (last)                                                                                      \
      *last = part.last;                                                                           \
    *lower = T(part.lower);                                                                        \
    *upper = T(part.upper);                                                                        \
    if (stride)                                                                                    \
      *stride = S(part.stride);                                                                    \
    return 1;                                                                                      \
  }                                                                                                \
  OMPDSM_EXPORT void __kmpc_dispatch_fini##suffix(Ident *location, std::int32_t gtid) {            \
    RegionFrame *frame = spreadFrame();                                                            \
    if (!frame)                                                                                    \
      return libomp().__kmpc_dispatch_fini##suffix(location, gtid);                                \
    if (frame->ordered.active)                                                                     \
      endOrderedIteration(*frame);                                                                 \
  }

OMPDSM_LOOP_ENTRIES(_4, std::int32_t, std::int32_t)
OMPDSM_LOOP_ENTRIES(_4u, std::uint32_t, std::int32_t)
OMPDSM_LOOP_ENTRIES(_8, std::int64_t, std::int64_t)
OMPDSM_LOOP_ENTRIES(_8u, std::uint64_t, std::int64_t)

OMPDSM_EXPORT void __kmpc_for_static_fini(Ident *location, std::int32_t gtid) {
  if (!spreadFrame())
    libomp().__kmpc_for_static_fini(location, gtid);
}

OMPDSM_EXPORT void __kmpc_dispatch_deinit(Ident *location, std::int32_t gtid) {
  if (!spreadFrame())
    libomp().__kmpc_dispatch_deinit(location, gtid);
}
