// Eviction.h: how a node gives up copies of other nodes' memory to stay under a limit.
//
// First the state goes (Evict): no new check passes, and the home hears that the node is no sharer
// any more (Leave), in the order of its Gets and Puts. Threads may go on reading under permissions
// that they were given before, so the memory goes only when all have synchronised since (guarantee
// G4), and only if nothing was fetched into it meanwhile: then somebody may hold a new permission,
// whatever the state says by now.
#pragma once
#include "BlockFlush.h"

namespace ompdsm {

/// Gives up the block if that is possible now: its changes go first, which leaves nothing to keep
/// only if no other thread of the node can still hold W. Returns whether nothing is left but
/// memory.
template <FlushPort Port> bool evictBlock(Port &port) {
  if (isListed(port.state()) && !isFetching(port.state()))
    (void)flushBlock(port);
  if (port.state() == BlockState::Clean || port.state() == BlockState::Unread)
    step(port, Event::Evict);
  return port.state() == BlockState::Invalid;
}

/// Whether the memory of a block may go that was given up, and into which nothing was fetched
/// since; `quiet`: all threads have synchronised since.
constexpr bool mayDrop(BlockState state, bool quiet) {
  return state == BlockState::Invalid && quiet;
}

/// At the home: a node has given up its copy.
template <BlockPort Port> void stepLeave(Port &port) {
  step(port, classifyLeave(port.state(), port.record().sharers.isOnly(port.peer())));
}

} // namespace ompdsm
