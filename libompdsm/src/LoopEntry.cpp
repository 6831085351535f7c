// LoopEntry.cpp: the __kmpc_* entries of worksharing loops (and of sections, which clang makes
// loops): static ones by thread number, dispatched ones through DynamicLoops.
#include "libompdsm/src/Export.h"
#include "libompdsm/src/Fatal.h"
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

template <class T, class S>
void staticInit(const RegionFrame &frame, const Ident *location, std::int32_t schedule,
                std::int32_t *last, T *lower, T *upper, S *stride, S increment, S chunk) {
  LoopBounds loop{.lower = *lower, .upper = *upper, .increment = increment};
  if (loop.tripCount() == 0) {
    // Compiled code tests the bounds as they are.
    *last = 0;
    *stride = increment;
    return;
  }
  constexpr Wide minimum = std::numeric_limits<T>::min(), maximum = std::numeric_limits<T>::max();
  unsigned thread = frame.globalThread, threads = frame.region->layout.threads;
  StaticPart part;
  switch (scheduleOf(schedule)) {
  case Schedule::Static:
    part = staticPart(loop, thread, threads, minimum, maximum);
    break;
  case Schedule::StaticChunked:
    part = staticChunkedPart(loop, chunk, thread, threads, minimum, maximum);
    break;
  default:
    unsupportedSchedule(location, schedule);
  }
  *last = part.last;
  *lower = T(part.lower);
  *upper = T(part.upper);
  *stride = S(part.stride);
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
    if (RegionFrame *frame = spreadFrame())                                                        \
      return staticInit<T, S>(*frame, location, schedule, last, lower, upper, stride, increment,   \
                              chunk);                                                              \
    libomp().__kmpc_for_static_init##suffix(location, gtid, schedule, last, lower, upper, stride,  \
                                            increment, chunk);                                     \
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
