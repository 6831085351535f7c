// BarrierMoves.cpp: the parts of a barrier, and homes that move in it (Barriers.cpp of the engine).
#include "protocol/sim/World.h"
#include <algorithm>

namespace ompdsm::sim {

void World::arrive(State &s, unsigned t) {
  const unsigned n = nodeOf(t);
  Node &node = s.nodes[n];
  bool unsent = false;
  for (unsigned b = 0; b < kBlocks; ++b)
    unsent |= (node.dirty >> b & 1) && keepsUnsentChanges(node.blocks[b].state);
  bool givesHomesAway = false;
  for (std::uint8_t writer : node.writers)
    givesHomesAway |= writer != 0 && writer != Node::kSeveral && isHeir(writer - 1, NodeId(n));
  node.settled = isSettled(peersOf(s, n), givesHomesAway) || !rules_.settledNodesSendNoPuts;
  ++node.entered;
  node.mayMove = mayPromiseToAskNothing(othersOffline(s, n, t), node.requestsInFlight != 0, unsent);
  for (unsigned other = 0; other < nodes_; ++other)
    if (other != n) {
      Message message{};
      message.from = std::uint8_t(n);
      message.to = std::uint8_t(other);
      message.kind = Kind::Arrive;
      message.block = kBlocks;
      message.whole = node.settled;
      message.epoch = node.entered;
      message.flag = node.mayMove;
      message.count = node.peers[other].announcePuts();
      send(s, message);
    }
  node.flusher = 0;
  s.threads[t].phase = Phase::AwaitsArrivals;
}

/// All have arrived.
void World::goOnInBarrier(State &s, unsigned t) {
  const unsigned n = nodeOf(t);
  Node &node = s.nodes[n];
  if (!allAreSettled(peersOf(s, n), n, node.entered, node.settled))
    return moveAndTellDone(s, t);
  leave(s, t);
}

void World::moveAndTellDone(State &s, unsigned t) {
  const unsigned n = nodeOf(t);
  Node &node = s.nodes[n];
  if (allAskNothing(peersOf(s, n), n, node.entered, node.mayMove) || !rules_.homesMoveOnPromise)
    for (unsigned unit = 0; unit < (litmus_.oneUnit ? 1 : kBlocks); ++unit) {
      const std::uint8_t writer = node.writers[unit];
      if (writer == 0 || writer == Node::kSeveral || !isHeir(writer - 1, NodeId(n)))
        continue;
      const NodeId heir = NodeId(writer - 1);
      if (!mayCedeUnit(s, n, unit, heir, t))
        continue;
      for (unsigned b = 0; b < kBlocks; ++b)
        if (unitOf(b) == unit) {
          checkUnmoved(s, n, b);
          Context context;
          context.node = heir;
          context.acknowledged = false;
          step(s, n, b, Event::Cede, context);
          node.blocks[b].record = Record{}; // the heir, its last sharer, is the home now
          node.heirs[b] = std::uint8_t(heir + 1);
        }
    }
  for (unsigned other = 0; other < nodes_; ++other)
    if (other != n) {
      Message message{};
      message.from = std::uint8_t(n);
      message.to = std::uint8_t(other);
      message.kind = Kind::Done;
      node.peers[other].announceInvalidates();
      message.block = kBlocks;
      message.epoch = node.entered;
      for (unsigned b = 0; b < kBlocks; ++b) {
        message.mask |= std::uint8_t((node.heirs[b] != 0) << b);
        message.bytes[b] = node.heirs[b];
      }
      send(s, message);
    }
  s.threads[t].phase = Phase::AwaitsDone;
}

bool World::mayCedeUnit(State &s, unsigned n, unsigned unit, NodeId heir, unsigned t) {
  bool may = true;
  for (unsigned b = 0; b < kBlocks; ++b) {
    if (unitOf(b) != unit)
      continue;
    may = may && s.nodes[n].homes[b] == n;
    if (!may)
      return false;
    Context context;
    context.thread = t;
    context.acknowledged = false;
    Access access(*this, s, n, b, context);
    const bool held = mayCedeBlock(access, heir);
    may = rules_.heirHoldsUnit ? held : s.nodes[n].blocks[b].state == BlockState::Shared;
  }
  return may;
}

void World::leave(State &s, unsigned t) {
  const unsigned n = nodeOf(t);
  Node &node = s.nodes[n];
  // The first to leave: all that any thread had stored when it arrived is at the homes.
  bool first = true;
  for (unsigned other = 0; other < nodes_; ++other)
    first = first && (other == n || s.nodes[other].completed < node.entered);
  if (first)
    for (unsigned u = 0; u < litmus_.threads.size(); ++u)
      if (!isDone(s, u) && operationOf(s, u).kind == Operation::Barrier)
        checkReleased(s, u);
  std::fill_n(node.writers, kBlocks, std::uint8_t(0));
  for (unsigned b = 0; b < kBlocks; ++b) {
    if (const std::uint8_t heir = std::exchange(node.heirs[b], std::uint8_t(0)))
      rehome(s, n, b, NodeId(n), NodeId(heir - 1));
    for (unsigned other = 0; other < nodes_; ++other)
      if (const std::uint8_t heir = std::exchange(node.peers[other].heirs[b], std::uint8_t(0)))
        rehome(s, n, b, NodeId(other), NodeId(heir - 1));
  }
  for (unsigned other = 0; other < nodes_; ++other)
    if (other != n)
      node.peers[other].onBarrierDone();
  node.completed = node.entered;
  node.mayMove = node.settled = false;
  syncPoint(s, t);
  s.threads[t].acquiring = true;
  continueAcquire(s, t); // nothing is on its way that this thread may need
}

void World::rehome(State &s, unsigned n, unsigned block, NodeId from, NodeId heir) {
  Node &node = s.nodes[n];
  if (node.homes[block] != from)
    fail("a home gives away what is not its own");
  node.homes[block] = std::uint8_t(heir);
  if (heir != n)
    return;
  Context context;
  step(s, n, block, Event::Adopt, context);
}

} // namespace ompdsm::sim
