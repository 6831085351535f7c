// LoopShares.cpp: shares and chunks.
#include "libompdsm/src/LoopShares.h"
#include <algorithm>

namespace ompdsm {

IterationRange finalChunk(const DynamicLoopShape &shape) {
  if (shape.trips == 0)
    return {};
  return {(shape.trips - 1) / shape.chunk * shape.chunk, shape.trips};
}

IterationRange initialShare(const DynamicLoopShape &shape, const TeamLayout &layout,
                            unsigned node) {
  // Whole chunks are dealt as a static schedule deals iterations to threads: node n gets the chunks
  // that its threads would get. 128 bits because threads times chunks may leave 64.
  IterationCount chunks = finalChunk(shape).begin / shape.chunk;
  auto border = [&](unsigned thread) {
    auto index = IterationCount((unsigned __int128)(chunks)*thread / layout.threads);
    return index * shape.chunk;
  };
  unsigned first = layout.firstOn(node);
  return {border(first), border(first + layout.threadsOn(node))};
}

IterationRange takeChunk(IterationRange &share, const DynamicLoopShape &shape, unsigned threads) {
  IterationCount size = shape.chunk;
  if (shape.guided) {
    // Half of an equal part of what is left, as libomp's guided; whole chunks keep shares aligned.
    IterationCount part = share.size() / (2 * IterationCount(threads));
    size = std::max(part / shape.chunk * shape.chunk, shape.chunk);
  }
  size = std::min(size, share.size());
  IterationRange taken{share.begin, share.begin + size};
  share.begin = taken.end;
  return taken;
}

IterationRange giveHalf(IterationRange &share, const DynamicLoopShape &shape,
                        IterationCount position) {
  IterationCount chunks = share.size() / shape.chunk; // Shares consist of whole chunks.
  IterationRange given{share.begin + chunks / 2 * shape.chunk, share.end};
  if (shape.monotonic && given.begin < position)
    return {};
  share.end = given.begin;
  return given;
}

} // namespace ompdsm
