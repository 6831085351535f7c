// BarrierMoves.cpp: the parts of a barrier, and homes that move in it (Barriers.cpp of the engine).
#include "protocol/sim/World.h"
#include <algorithm>

namespace ompdsm::sim {

void World::arrive(State &s, unsigned t) {
  const unsigned n = nodeOf(t);
  Node &node = s.nodes[n];
  supply(s, t);
  bool unsent = false;
  for (unsigned b = 0; b < kBlocks; ++b)
    unsent |= (node.dirty >> b & 1) && keepsUnsentChanges(node.blocks[b].state);
  node.own.areSettled =
      isSettled(peersOf(s, n), givesHomesAway(s, n)) || !rules_.settledNodesSendNoPuts;
  const bool hasFetched =
      std::exchange(node.hasFetched, false) && nodes_ > 2 && rules_.whoHasFetchedSaysSo;
  node.own.tellNobody = tellsNobody(peersOf(s, n), givesHomesAway(s, n), hasFetched);
  const bool asksNow = node.requestsInFlight != 0;
  askBehind(s, t);
  ++node.entered;
  node.mayMove = mayPromiseToAskNothing(
      othersOffline(s, n, t),
      rules_.whoAsksBehindPromisesNothing ? node.requestsInFlight != 0 : asksNow, unsent);
  node.own.askNothing = node.mayMove;
  for (unsigned other = 0; other < nodes_; ++other)
    if (other != n)
      node.peers[other].reportArrival();
  reportOwn(s, t, Kind::Arrive);
  node.flusher = 0;
}

void World::reportOwn(State &s, unsigned t, Kind kind) {
  const unsigned n = nodeOf(t);
  Node &node = s.nodes[n];
  ++node.half;
  node.own.isThere = true;
  for (unsigned other = 0; other < nodes_; ++other)
    if (other != n) {
      node.own.puts[other] = node.peers[other].putsAnnounced.get();
      node.own.invalidates[other] = node.peers[other].invalidatesReported;
    }
  for (unsigned other = 0; other < nodes_; ++other)
    if (other != n && (isExchange(s, t) || (n != 0 && other == parentOf(NodeId(n)))))
      report(s, n, other, kind, node.own);
  s.threads[t].phase = Phase::AwaitsReports;
}

/// Sends what other nodes are expected to read behind the barrier and have no copies of. They may
/// not be able to use it, which the home hears later: so it stays the home in this epoch.
void World::supply(State &s, unsigned t) {
  const unsigned n = nodeOf(t);
  if (s.nodes[n].hasMoved && rules_.suppliesFollowMoves)
    return; // who is still in that barrier does not know where the home is
  for (unsigned b = 0; b < kBlocks; ++b)
    for (unsigned to = 0; to < nodes_; ++to) {
      if (to == n || s.nodes[n].homes[b] != n || !(traits(b).supplied >> to & 1))
        continue;
      Context context;
      context.thread = t;
      context.node = NodeId(to);
      context.acknowledged = false;
      context.isSupply = true;
      Access access(*this, s, n, b, context);
      const bool wasEnded = access.state() == BlockState::Exclusive;
      const Supplied supplied = stepSupply(access);
      if (supplied == Supplied::No)
        continue;
      if (supplied == Supplied::BesideSole && (rules_.soleEndsInBarriers || !wasEnded))
        s.nodes[n].hasFetched |= rules_.suppliersSaySo;
      if (rules_.suppliersStayHomes)
        noteWriter(s, n, b, Node::kStays);
    }
}

/// For what is expected to be read behind the barrier.
void World::askBehind(State &s, unsigned t) {
  const unsigned n = nodeOf(t);
  for (unsigned b = 0; b < kBlocks; ++b)
    if ((operationOf(s, t).byte >> b & 1) && s.nodes[n].blocks[b].state == BlockState::Invalid &&
        othersOffline(s, n, t)) {
      Context context;
      context.isBehindBarrier = true;
      step(s, n, b, Event::Prefetch, context);
    }
}

/// Or has blocks whose sizes are to change.
bool World::givesHomesAway(const State &s, unsigned n) const {
  for (unsigned b = 0; b < kBlocks; ++b)
    if (traits(b).resized && s.nodes[n].homes[b] == n)
      return true;
  return std::any_of(s.nodes[n].writers, s.nodes[n].writers + kBlocks,
                     [](std::uint8_t entry) { return writersOf(entry).mayMove(); });
}

/// In so small a world each node but 0 is a child of node 0.
static_assert(kMaxNodes <= 3 && parentOf(1) == 0 && parentOf(2) == 0);

bool World::isExchange(const State &s, unsigned t) const {
  return tellEachOther(nodes_, operationOf(s, t).value != 0, s.nodes[nodeOf(t)].isDone);
}

void World::report(State &s, unsigned from, unsigned to, Kind kind, const Report &report) {
  Message message{};
  message.from = std::uint8_t(from);
  message.to = std::uint8_t(to);
  message.kind = kind;
  message.block = kBlocks;
  message.epoch = s.nodes[from].half;
  message.report = report;
  send(s, message);
}

/// Whether node n knows that all have arrived, or are done; then what they have sent to it, and
/// node 0 passes that on to the others.
bool World::meet(State &s, unsigned t) {
  const unsigned n = nodeOf(t);
  Node &node = s.nodes[n];
  if (n != 0 && !isExchange(s, t)) {
    if (!node.word.isThere)
      return false;
  } else {
    for (unsigned other = 0; other < nodes_; ++other)
      if (other != n && !node.peers[other].reports[node.half & 1].isThere)
        return false;
    Agreement all{node.own.askNothing, node.own.areSettled, node.own.tellNobody};
    std::array<Report, kMaxNodes> reports{};
    for (unsigned other = 0; other < nodes_; ++other) {
      reports[other] =
          other == n ? node.own : std::exchange(node.peers[other].reports[node.half & 1], {});
      all.join({reports[other].askNothing, reports[other].areSettled, reports[other].tellNobody});
    }
    for (unsigned to = 0; to < nodes_; ++to) {
      Report word{true, all.askNothing, all.areSettled, all.tellNobody, {}, {}, {}};
      for (unsigned from = 0; from < nodes_; ++from) {
        word.puts[from] = reports[from].puts[to];
        word.invalidates[from] = reports[from].invalidates[to];
        for (unsigned b = 0; b < kBlocks; ++b)
          if (const std::uint8_t heir = reports[from].heirs[b]) {
            if (node.homes[b] != from)
              fail("a home gives away what is not its own");
            word.heirs[b] = heir;
          }
      }
      if (to == n)
        node.word = word;
      else if (!isExchange(s, t))
        report(s, n, to, Kind::Go, word);
    }
  }
  for (unsigned other = 0; other < nodes_; ++other)
    if (other != n)
      node.peers[other].expect(node.word.puts[other], node.word.invalidates[other]);
  return true;
}

/// All have arrived, or are done, and what they have sent to this node is here.
void World::goOnInBarrier(State &s, unsigned t) {
  Node &node = s.nodes[nodeOf(t)];
  if (!node.isDone && hasSecondHalf(node) && rules_.leaveFollowsDone)
    return beDone(s, t);
  leave(s, t);
}

bool World::hasSecondHalf(const Node &node) const {
  const Report &word = node.word;
  return Agreement{word.askNothing || !rules_.nobodyIsToldOnPromise, word.areSettled,
                   word.tellNobody}
      .needSecondHalf();
}

void World::beDone(State &s, unsigned t) {
  const unsigned n = nodeOf(t);
  Node &node = s.nodes[n];
  const bool homesMove = node.word.askNothing || !rules_.homesMoveOnPromise;
  const bool sizesChange = node.word.askNothing || !rules_.sizesChangeOnPromise;
  node.own = node.word = Report{};
  if (homesMove)
    for (unsigned unit = 0; unit < (litmus_.oneUnit ? 1 : kBlocks); ++unit) {
      const NodeId heir = writersOf(node.writers[unit]).heir([&](NodeId writer) {
        return mayCedeUnit(s, n, unit, writer, t);
      });
      if (heir == kUnitStays)
        continue;
      for (unsigned b = 0; b < kBlocks; ++b)
        if (unitOf(b) == unit) {
          checkUnmoved(s, n, b);
          Context context;
          context.node = heir;
          context.acknowledged = false;
          step(s, n, b, Event::Cede, context);
          node.blocks[b].record = Record{}; // the heir, its last sharer, is the home now
          node.own.heirs[b] = std::uint8_t(heir + 1);
        }
    }
  if (sizesChange)
    recall(s, t);
  for (unsigned other = 0; other < nodes_; ++other)
    if (other != n)
      node.peers[other].reportDone();
  node.isDone = true;
  reportOwn(s, t, Kind::Done);
}

/// Ends all copies of blocks of this home whose sizes change: they stay here, which the reports
/// say.
void World::recall(State &s, unsigned t) {
  const unsigned n = nodeOf(t);
  for (unsigned b = 0; b < kBlocks; ++b) {
    if (!traits(b).resized || s.nodes[n].homes[b] != n || s.nodes[n].own.heirs[b])
      continue;
    Context context;
    context.thread = t;
    context.acknowledged = false;
    Access access(*this, s, n, b, context);
    if (!mayRecallBlock(access))
      continue;
    Context recalled;
    recalled.acknowledged = false;
    step(s, n, b, Event::Recall, recalled);
    s.nodes[n].own.heirs[b] = std::uint8_t(n + 1);
  }
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
  std::copy_n(node.earlyWriters, kBlocks, node.writers);
  std::fill_n(node.earlyWriters, kBlocks, std::uint8_t(0));
  for (unsigned b = 0; b < kBlocks; ++b)
    if (const std::uint8_t heir = node.word.heirs[b])
      rehome(s, n, b, NodeId(heir - 1));
  node.hasMoved = std::any_of(node.word.heirs, node.word.heirs + kBlocks,
                              [](std::uint8_t heir) { return heir != 0; });
  for (unsigned other = 0; other < nodes_; ++other)
    if (other != n)
      node.peers[other].onBarrierDone();
  for (unsigned b = 0; b < kBlocks; ++b) // all that a sharer has put before its copy ended is here
    node.blocks[b].hasSaidSole &= node.blocks[b].state != BlockState::Exclusive;
  node.completed = node.entered;
  node.mayMove = node.isDone = false;
  node.own = node.word = Report{};
  syncPoint(s, t);
  s.threads[t].acquiring = true;
  continueAcquire(s, t); // nothing is on its way that this thread may need
}

void World::rehome(State &s, unsigned n, unsigned block, NodeId heir) {
  Node &node = s.nodes[n];
  if (heir == node.homes[block]) {
    const BlockCopy &copy = node.blocks[block];
    if (!isRecalled(copy.state, heir == n, &copy.record) || copy.isSole ||
        (heir == n && !copy.record.sharers.empty()))
      fail("a block changes its size while there is a copy");
  }
  node.homes[block] = std::uint8_t(heir);
  node.blocks[block].latestPut = 0; // the old home has it
  if (heir != n || isHomeState(node.blocks[block].state))
    return;
  Context context;
  step(s, n, block, Event::Adopt, context);
}

} // namespace ompdsm::sim
