// Ordered.h: ordered regions of loops that are spread over nodes.
//
// In a loop with an ordered clause, iterations pass one after the other: a thread enters its first
// ordered region of a chunk when the last iteration before the chunk has raised its flag
// (IterationFlags), stays in turn for the rest of the chunk, and raises the flag of the chunk's
// last iteration. An iteration without an ordered region passes at its end. In a doacross loop
// (ordered(n)), source raises the flag of the iteration, and sink waits for another's.
//
// Nobody waits for ever: threads take the chunks of such loops in the order of the loop.
#pragma once
#include "libompdsm/src/ThreadContext.h"
#include <cstdint>
#include <vector>

namespace ompdsm {

void enterOrdered(RegionFrame &frame);
void leaveOrdered(RegionFrame &frame);
void endOrderedIteration(RegionFrame &frame);

struct DoacrossDimension;

/// A thread's doacross loop: its number in the region, and the nest's shape.
struct DoacrossCursor {
  std::uint64_t number = 0;
  std::vector<DoacrossDimension> dimensions;
};

void beginDoacross(RegionFrame &frame, const DoacrossDimension *dimensions, unsigned count);
/// `vector` has the values of the nest's loop variables.
void postIteration(const RegionFrame &frame, const std::int64_t *vector);
/// Returns at once for iterations that do not exist.
void awaitIteration(const RegionFrame &frame, const std::int64_t *vector);
void endDoacross(RegionFrame &frame);

} // namespace ompdsm
