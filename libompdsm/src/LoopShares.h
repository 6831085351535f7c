// LoopShares.h: how the iterations of a dynamically scheduled loop are cut into shares of nodes and
// chunks of threads. Pure arithmetic on iteration numbers; DynamicSchedule.h says how it is used.
#pragma once
#include "libompdsm/src/TeamLayout.h"
#include <cstdint>

namespace ompdsm {

using IterationCount = std::uint64_t;

/// Iterations [begin, end), counted from the loop's first.
struct IterationRange {
  IterationCount begin = 0;
  IterationCount end = 0;
  bool empty() const { return begin == end; }
  IterationCount size() const { return end - begin; }
};

/// What all nodes must agree on about a loop.
struct DynamicLoopShape {
  IterationCount trips = 0;
  IterationCount chunk = 1;
  std::uint32_t teamThreads = 1;
  std::uint32_t guided = 0;    ///< Chunks shrink with the rest of the share.
  std::uint32_t monotonic = 0; ///< A thread's chunks are in the order of the loop.
};

/// The loop's last chunk. Not part of any share: the last node executes it when everything else is
/// given out, because lastprivate takes the variables of the thread that executes it as they are at
/// the end, so that no other chunk may come after it.
IterationRange finalChunk(const DynamicLoopShape &shape);
/// A node's first share of the rest: chunks in proportion to its threads.
IterationRange initialShare(const DynamicLoopShape &shape, const TeamLayout &layout, unsigned node);
/// Takes the next chunk of `share` for one of `threads` threads; empty when the share is.
IterationRange takeChunk(IterationRange &share, const DynamicLoopShape &shape, unsigned threads);
/// Splits off the second half of `share`, whole chunks, for another node; a single chunk goes
/// whole. In a monotonic loop nothing, unless all of it comes after `position`, where the other
/// node is.
IterationRange giveHalf(IterationRange &share, const DynamicLoopShape &shape,
                        IterationCount position);

} // namespace ompdsm
