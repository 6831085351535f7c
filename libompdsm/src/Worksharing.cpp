// Worksharing.cpp: arithmetic of the static schedules (OpenMP 5.2, section 11.5.3).
#include "libompdsm/src/Worksharing.h"
#include "fabric/Check.h"
#include <algorithm>

namespace ompdsm {

namespace {

bool fits(Wide value, Wide minimum, Wide maximum) { return value >= minimum && value <= maximum; }

/// A part without iterations. Compiled code clips the upper bound to the loop's and then tests
/// lower <= upper (for a positive increment), so lower must lie beyond the loop's upper bound;
/// where the type has no such value, upper is moved below lower instead.
StaticPart emptyPart(const LoopBounds &loop, Wide minimum, Wide maximum) {
  StaticPart part{.lower = loop.upper + loop.increment, .upper = loop.upper, .stride = 0};
  if (!fits(part.lower, minimum, maximum)) {
    part.lower = loop.upper;
    part.upper = std::clamp(loop.upper - loop.increment, minimum, maximum);
  }
  part.stride = loop.increment;
  return part;
}

Wide iteration(const LoopBounds &loop, Wide index) { return loop.lower + index * loop.increment; }

} // namespace

StaticPart staticPart(const LoopBounds &loop, unsigned thread, unsigned threads, Wide minimum,
                      Wide maximum) {
  Wide trips = loop.tripCount();
  OMPDSM_CHECK(trips > 0 && thread < threads);
  Wide size = trips / threads, longer = trips % threads;
  Wide first = thread * size + std::min<Wide>(thread, longer);
  Wide count = size + (thread < longer ? 1 : 0);
  if (count == 0)
    return emptyPart(loop, minimum, maximum);
  StaticPart part;
  part.lower = iteration(loop, first);
  part.upper = iteration(loop, first + count - 1);
  part.stride = std::min(trips, maximum);
  part.last = first + count == trips;
  return part;
}

StaticPart staticChunkedPart(const LoopBounds &loop, Wide chunk, unsigned thread, unsigned threads,
                             Wide minimum, Wide maximum) {
  Wide trips = loop.tripCount();
  OMPDSM_CHECK(trips > 0 && thread < threads);
  chunk = std::clamp<Wide>(chunk, 1, trips);
  Wide first = thread * chunk;
  if (first >= trips)
    return emptyPart(loop, minimum, maximum);
  StaticPart part;
  part.lower = iteration(loop, first);
  part.upper = iteration(loop, std::min(first + chunk, trips) - 1);
  part.last = (trips - 1) / chunk % threads == thread;
  bool onlyChunk = first + chunk * threads >= trips;
  part.stride = chunk * threads * loop.increment;
  // Compiled code adds the stride after each chunk. After the only one any distance beyond the end
  // will do, so take the shortest: the full one may leave the type.
  if (onlyChunk)
    part.stride = loop.upper + loop.increment - part.lower;
  return part;
}

} // namespace ompdsm
