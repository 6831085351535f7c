// Flushes.cpp: a thread of the small world flushes the dirty list, block by block (Releases.cpp of
// the engine); others run and store between the halves of a block's flush.
#include "protocol/sim/World.h"
#include <algorithm>

namespace ompdsm::sim {

/// Takes the dirty list when it is the thread's turn.
bool World::beginFlush(State &s, unsigned t) {
  Node &node = s.nodes[nodeOf(t)];
  if (node.flusher || node.locked)
    return false;
  node.flusher = std::uint8_t(t + 1);
  s.threads[t].work = std::exchange(node.dirty, std::uint8_t(0));
  s.threads[t].phase = Phase::Flushes;
  return visitBlock(s, t);
}

/// The first half of the next block that is due; the node is locked until the second.
bool World::visitBlock(State &s, unsigned t) {
  const unsigned n = nodeOf(t);
  Node &node = s.nodes[n];
  Thread &thread = s.threads[t];
  if (node.locked)
    return false;
  while (thread.work) {
    const unsigned b = unsigned(std::countr_zero(thread.work));
    Context context;
    context.thread = t;
    Access access(*this, s, n, b, context);
    BlockFlush<Access> flush(access);
    if (flush.begin()) {
      node.locked = true;
      node.lockQuiet = flush.isQuiet();
      if (!rules_.quietBeforeSnapshot)
        std::copy_n(node.blocks[b].memory, kBlockBytes, node.blocks[b].snapshot);
      thread.phase = Phase::FlushesBlock;
      return true;
    }
    thread.work &= std::uint8_t(thread.work - 1);
  }
  afterFlush(s, t);
  return true;
}

/// To whom alone the thread releases; nobody: to all.
std::uint8_t World::followersOf(const State &s, unsigned t) const {
  const Operation &operation = operationOf(s, t);
  return operation.kind == Operation::Release ? operation.byte : std::uint8_t(0);
}

void World::finishBlock(State &s, unsigned t) {
  const unsigned n = nodeOf(t);
  Node &node = s.nodes[n];
  Thread &thread = s.threads[t];
  const unsigned b = unsigned(std::countr_zero(thread.work));
  const std::uint8_t bit = std::uint8_t(1u << b);
  Context context;
  context.thread = t;
  const Operation::Kind kind = operationOf(s, t).kind;
  context.acknowledged =
      (kind != Operation::Barrier && kind != Operation::Begin) || thread.acquiring;
  context.isFollowed = followersOf(s, t) != 0;
  Access access(*this, s, n, b, context);
  BlockFlush<Access> flush(access);
  bool quiet = node.lockQuiet;
  if (!rules_.quietBeforeSnapshot && flush.begin())
    quiet = flush.isQuiet();
  const Node before = node;
  switch (flush.finish(quiet)) {
  case FlushResult::Off:
    break;
  case FlushResult::Relist:
    node.dirty |= bit;
    break;
  case FlushResult::Postponed:
    thread.postponed |= bit;
    break;
  }
  if (!rules_.releaseWaitsForNode) // wrong: only for what this very flush has sent
    for (unsigned other = 0; other < nodes_; ++other) {
      const Peer &was = before.peers[other], &is = node.peers[other];
      if (was.acksWanted.get() != is.acksWanted.get() ||
          was.invalidatesSent.get() != is.invalidatesSent.get())
        thread.needs[other] = Need::of(is);
    }
  std::fill_n(node.blocks[b].snapshot, kBlockBytes, std::uint8_t(0));
  node.locked = node.lockQuiet = false;
  thread.work &= std::uint8_t(~bit);
  thread.phase = Phase::Flushes;
  if (!thread.work)
    afterFlush(s, t);
}

void World::afterFlush(State &s, unsigned t) {
  const unsigned n = nodeOf(t);
  Node &node = s.nodes[n];
  Thread &thread = s.threads[t];
  if (thread.postponed) {
    thread.phase = Phase::Postponed;
    return;
  }
  if (operationOf(s, t).kind == Operation::Barrier && !thread.acquiring) {
    thread.phase = Phase::Arrives; // still the one that flushes
    return;
  }
  node.flusher = 0;
  if (operationOf(s, t).kind == Operation::Begin && !thread.acquiring)
    return endBegin(s, t);
  const unsigned followers = rules_.onlyFollowersGoUnconfirmed || followersOf(s, t) == 0
                                 ? followersOf(s, t)
                                 : ~0u; // wrong
  askWhatReleaseNeeds(
      peersOf(s, n), [&](std::size_t other) { return (followers >> other & 1) != 0; },
      [&](std::size_t other) {
        if (rules_.releaseAsksForCountedPuts)
          askForPuts(s, n, unsigned(other));
      },
      [&](std::size_t other) { sendInvalidate(s, n, unsigned(other), kBlocks, true); },
      [&](std::size_t other, Need need) {
        if (rules_.releaseWaitsForNode && (rules_.ordersFollowPuts || followers == 0))
          thread.needs[other] = need;
      });
  thread.phase = Phase::AwaitsAcks;
}

} // namespace ompdsm::sim
