// Evictions.cpp: a thread of the small world gives up copies, and the memory of what was given up
// goes (Evictions.cpp of the engine).
#include "protocol/sim/World.h"
#include <algorithm>

namespace ompdsm::sim {

/// At any time, by a thread that may hold permissions itself.
bool World::evict(State &s, unsigned t) {
  const unsigned n = nodeOf(t);
  Node &node = s.nodes[n];
  if (node.locked)
    return false;
  for (unsigned b = 0; b < kBlocks; ++b) {
    if (!(operationOf(s, t).value >> b & 1) || node.homes[b] == n || node.mayMove)
      continue;
    Context context;
    Access access(*this, s, n, b, context);
    if (evictBlock(access))
      node.leaving |= std::uint8_t(1u << b);
  }
  node.leavingStamp = node.clock.stamp();
  finish(s, t);
  return true;
}

bool World::drop(State &s, unsigned t) {
  const unsigned n = nodeOf(t);
  Node &node = s.nodes[n];
  if (node.locked)
    return false;
  syncPoint(s, t);
  Context context;
  context.thread = t;
  for (unsigned b = 0; b < kBlocks; ++b) {
    const Access access(*this, s, n, b, context);
    const bool quiet = !rules_.dropsWhenQuiet || access.isQuietSince(node.leavingStamp);
    if (!(node.leaving >> b & 1) || !mayDrop(node.blocks[b].state, quiet))
      continue;
    checkUnused(s, n, b, t);
    std::fill_n(node.blocks[b].memory, kBlockBytes, std::uint8_t(0));
    node.leaving &= std::uint8_t(~(1u << b));
  }
  if (!node.leaving)
    node.leavingStamp = 0;
  finish(s, t);
  return true;
}

} // namespace ompdsm::sim
