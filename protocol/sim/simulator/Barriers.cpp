// Barriers.cpp: a barrier over all threads, which is one over all nodes by their leaders, and homes
// that move in it (Barriers.cpp of the engine).
#include "protocol/core/Serving.h"
#include "protocol/sim/Dice.h"
#include "protocol/sim/simulator/Port.h"
#include "protocol/sim/simulator/WireSizes.h"
#include <algorithm>

namespace ompdsm::simulator {

/// A thread that does not lead waits for its node's leader, offline, as OpenMP's threads do.
Task Simulation::barrier(SimThread &thread, Range expected) {
  Node &node = nodeOf(thread);
  const Time begin = now_;
  if (node.threads.front() == &thread) {
    const auto team = unsigned(
        std::count_if(node.threads.begin(), node.threads.end(),
                      [](const SimThread *member) { return !member->program.isOutsider; }));
    co_await until(thread, [&] { return node.parked + 1 == team; });
    node.parked = 0;
    co_await barrierOfNodes(thread, expected);
    Span &span = outcome_.statistics.barriers;
    ++span.count;
    span.time += now_ - begin;
    co_return;
  }
  const std::uint32_t epoch = node.completedEpoch;
  goOffline(thread);
  ++node.parked;
  notify(node);
  co_await until(thread, [&] { return node.completedEpoch != epoch; });
  co_await goOnline(thread);
}

Task Simulation::barrierOfNodes(SimThread &thread, Range expected) {
  Node &node = nodeOf(thread);
  syncPoint(thread);
  co_await lockEngine(thread);
  if (othersOffline(node, &thread))
    co_await until(thread, [&] { return node.requestsInFlight == 0; });
  co_await takeTurn(thread);
  co_await flushDirty(thread, /*acknowledged=*/false, nullptr);
  co_await lockEngine(thread);
  const bool askedNothing = node.requestsInFlight == 0;
  supplySome(thread);
  askBehindBarrier(thread, expected);
  Report own = arrive(thread, askedNothing);
  endTurn(node);
  co_await meetAll(thread, Kind::Arrive, std::move(own));
  node.agreed = node.heard.agreement;
  co_await until(thread, [&] {
    return std::all_of(node.peers.begin(), node.peers.end(), [&](const Peer &peer) {
      return (peer.hasAllPuts() || !rules_.doneFollowsPuts) &&
             (peer.hasAllInvalidates() || !rules_.doneFollowsInvalidates);
    });
  });
  co_await lockEngine(thread);
  if (hasSecondHalf(node) && !rules_.leaveFollowsDone) {
    postCollected(node, /*acknowledged=*/false);
  } else if (hasSecondHalf(node)) {
    if (node.agreed.askNothing || !rules_.homesMoveOnPromise)
      cedeUnits(thread);
    co_await meetAll(thread, Kind::Done, beDone(node));
    co_await until(
        thread, [&] { return !rules_.leaveFollowsInvalidates || hasAllThatWasSent(node.peers); });
    co_await lockEngine(thread);
  }
  leave(node);
  notify(node);
  co_await giveUpUnread(thread);
  co_await acquire(thread);
}

/// Of the barrier in which the node has heard of all.
bool Simulation::hasSecondHalf(const Node &node) const {
  Agreement all = node.agreed;
  all.askNothing |= !rules_.nobodyIsToldOnPromise;
  return all.needSecondHalf();
}

/// Sends blocks to nodes that have been told since the last barrier that their copies are stale.
void Simulation::supplySome(SimThread &thread) {
  Node &node = nodeOf(thread);
  const auto stale = std::exchange(node.toldStale, {});
  if (scenario_.pushOneIn == 0 || (node.hasMoved && rules_.suppliesFollowMoves))
    return;
  sim::Dice dice(scenario_.seed + (std::uint64_t(node.self) << 32) + node.enteredEpoch);
  StepContext context;
  context.thread = &thread;
  context.isSupply = true;
  for (const auto &[block, to] : stale) {
    context.node = to;
    if (dice.oneIn(2) || homeOf(node, block) != node.self)
      continue;
    Port port(*this, node, block, context);
    const bool wasEnded = port.state() == BlockState::Exclusive;
    const Supplied supplied = stepSupply(port);
    if (supplied == Supplied::No)
      continue;
    if (supplied == Supplied::BesideSole && (rules_.soleEndsInBarriers || !wasEnded))
      node.hasFetched |= rules_.suppliersSaySo;
    if (rules_.suppliersStayHomes)
      noteWriter(node, block, kUnitStays);
  }
  postCollected(node, /*acknowledged=*/false);
}

void Simulation::askBehindBarrier(SimThread &thread, Range expected) {
  Node &node = nodeOf(thread);
  if (!othersOffline(node, &thread))
    return;
  forEachBlock(expected, [&](BlockId block) {
    StepContext context;
    if (copyOf(node, block).state == BlockState::Invalid)
      step(node, block, Event::Prefetch, context);
  });
  for (auto &[home, outgoing] : node.outgoing)
    postRequests(node, home, Kind::GetBehind, outgoing.gets);
}

/// What the node has sent to each peer of which reportOf(peer) has something new.
template <class ReportOf>
static std::vector<Sent<PlainCounter::Value>> sentBy(Node &node, ReportOf reportOf) {
  std::vector<Sent<PlainCounter::Value>> sent;
  for (NodeId other = 0; other < node.peers.size(); ++other)
    if (Peer &peer = node.peers[other]; other != node.self && reportOf(peer))
      sent.push_back({node.self, other, peer.putsAnnounced.get(), peer.invalidatesReported});
  return sent;
}

/// `askedNothing`: before it asked for what it will read behind the barrier.
Report Simulation::arrive(SimThread &thread, bool askedNothing) {
  Node &node = nodeOf(thread);
  const bool unsent = std::any_of(node.dirty.begin(), node.dirty.end(), [&](BlockId block) {
    return keepsUnsentChanges(copyOf(node, block).state);
  });
  Report own;
  own.agreement.areSettled =
      isSettled(node.peers, givesHomesAway(node)) || !rules_.settledNodesSendNoPuts;
  const bool hasFetched =
      std::exchange(node.hasFetched, false) && nodes_.size() > 2 && rules_.whoHasFetchedSaysSo;
  own.agreement.tellNobody = tellsNobody(node.peers, givesHomesAway(node), hasFetched);
  ++node.enteredEpoch;
  const bool asksNothing =
      rules_.whoAsksBehindPromisesNothing ? node.requestsInFlight == 0 : askedNothing;
  node.homesMayMove = mayPromiseToAskNothing(othersOffline(node, &thread), !asksNothing, unsent);
  own.agreement.askNothing = node.homesMayMove;
  own.sent = sentBy(node, [](Peer &peer) { return peer.reportArrival(); });
  return own;
}

bool Simulation::givesHomesAway(const Node &node) const {
  return std::any_of(node.writers.begin(), node.writers.end(),
                     [](const auto &entry) { return entry.second.mayMove(); });
}

/// What is sent to one node.
static Report partOf(const Report &report, NodeId to) {
  Report part{report.agreement, {}, report.moves};
  for (const auto &sent : report.sent)
    if (sent.to == to)
      part.sent.push_back(sent);
  return part;
}

/// Leaves in `report` what is sent to nodes below `top`, and returns the rest of that.
static Report split(Report &report, NodeId top) {
  Report rest{report.agreement, {}, report.moves}, stays{report.agreement, {}, report.moves};
  for (const auto &sent : report.sent)
    (isBelow(sent.to, top) ? stays : rest).sent.push_back(sent);
  report = std::move(stays);
  return rest;
}

Task Simulation::meetAll(SimThread &thread, Kind kind, Report own) {
  Node &node = nodeOf(thread);
  ++node.half;
  const auto nodes = nodes_.size();
  const bool isExchange = tellEachOther(nodes, /*isJoin=*/false, kind == Kind::Done);
  if (isExchange)
    for (NodeId other = 0; other < nodes; ++other)
      if (other != node.self)
        sendReport(node, kind, other, partOf(own, other));
  Node::Reports &reports = node.reports[node.half & 1];
  const unsigned awaited = reportersOf(node.self, nodes, isExchange);
  co_await until(thread, [&] { return reports.complete == awaited; });
  Report all = std::exchange(reports, {}).all;
  all.agreement.join(own.agreement);
  all.moves.insert(all.moves.end(), own.moves.begin(), own.moves.end());
  if (!isExchange) {
    all.sent.insert(all.sent.end(), own.sent.begin(), own.sent.end());
    if (node.self != 0) {
      sendReport(node, kind, parentOf(node.self), split(all, node.self));
      co_await until(thread, [&] { return node.word.complete == 1; });
      const Report word = std::exchange(node.word, {}).all;
      all.agreement = word.agreement;
      all.moves = word.moves;
      all.sent.insert(all.sent.end(), word.sent.begin(), word.sent.end());
    }
    forEachChild(node.self, nodes, [&](NodeId child) {
      Report others = split(all, child);
      sendReport(node, Kind::Go, child, all);
      all = std::move(others);
    });
  }
  for (const auto &sent : all.sent)
    if (sent.to == node.self)
      node.peers[sent.from].expect(sent.puts, sent.invalidates);
  node.heard = std::move(all);
}

/// As they are encoded: of adjacent units that move from one node to one other.
static std::size_t runsOf(const std::vector<HomeMove> &moves) {
  std::size_t runs = 0;
  for (std::size_t i = 0; i < moves.size(); ++i)
    runs += i == 0 || moves[i].unit != moves[i - 1].unit + 1 ||
            moves[i].heir != moves[i - 1].heir || moves[i].from != moves[i - 1].from;
  return runs;
}

void Simulation::sendReport(Node &node, Kind kind, NodeId to, const Report &report) {
  std::size_t at = 0, moved = runsOf(report.moves) * wire::kMove;
  do {
    const std::size_t end = std::min(report.sent.size(), at + wire::kMostSent);
    auto body = std::make_shared<Body>();
    body->report.agreement = report.agreement;
    if (at == 0)
      body->report.moves = report.moves;
    body->report.sent.assign(report.sent.begin() + std::ptrdiff_t(at),
                             report.sent.begin() + std::ptrdiff_t(end));
    Message message{node.self, to, kind, end == report.sent.size()};
    message.epoch = node.half;
    message.body = std::move(body);
    send(std::move(message),
         wire::kReportHead + std::exchange(moved, 0) + (end - at) * wire::kSent);
    at = end;
  } while (at < report.sent.size());
}

void Simulation::receiveReport(Node::Reports &reports, const Message &message) {
  const Report &report = message.body->report;
  reports.all.agreement.join(report.agreement);
  reports.all.sent.insert(reports.all.sent.end(), report.sent.begin(), report.sent.end());
  reports.all.moves.insert(reports.all.moves.end(), report.moves.begin(), report.moves.end());
  reports.complete += message.flag;
}

void Simulation::cedeUnits(SimThread &thread) {
  Node &node = nodeOf(thread);
  const std::map<UnitId, Writers> candidates = node.writers; // what follows may write there
  for (const auto &[unit, writers] : candidates) {
    const NodeId heir =
        writers.heir([&, unit = unit](NodeId writer) { return unitMayMove(thread, unit, writer); });
    if (heir == kUnitStays)
      continue;
    StepContext context;
    context.node = heir;
    for (BlockId b = space_.firstBlockOf(unit); b < space_.firstBlockOf(unit + 1); ++b) {
      checkUnmoved(node, b);
      step(node, b, Event::Cede, context);
      copyOf(node, b).record.reset(); // the heir, its last sharer, is the home now
    }
    node.ceded.push_back({unit, node.self, heir});
  }
}

bool Simulation::unitMayMove(SimThread &thread, UnitId unit, NodeId heir) {
  Node &node = nodeOf(thread);
  bool may = homeOf(node, space_.firstBlockOf(unit)) == node.self;
  StepContext context;
  context.thread = &thread;
  for (BlockId b = space_.firstBlockOf(unit); may && b < space_.firstBlockOf(unit + 1); ++b) {
    Port port(*this, node, b, context);
    const bool held = mayCedeBlock(port, heir);
    may = rules_.heirHoldsUnit ? held : port.state() == BlockState::Shared;
  }
  return may;
}

Report Simulation::beDone(Node &node) {
  node.isDone = true;
  postCollected(node, /*acknowledged=*/false);
  Report own;
  own.sent = sentBy(node, [](Peer &peer) { return peer.reportDone(); });
  own.moves = std::exchange(node.ceded, {});
  return own;
}

void Simulation::leave(Node &node) {
  node.writers = std::exchange(node.earlyWriters, {});
  node.hasMoved = !node.heard.moves.empty();
  for (const HomeMove &move : std::exchange(node.heard.moves, {}))
    moveHome(node, move);
  for (auto &[block, copy] : node.copies) // all that a sharer has put before its copy ended is here
    copy.hasSaidSole &= copy.state != BlockState::Exclusive;
  for (NodeId other = 0; other < nodes_.size(); ++other)
    if (other != node.self)
      node.peers[other].onBarrierDone();
  node.completedEpoch = node.enteredEpoch;
  node.homesMayMove = node.isDone = false;
  for (SimThread *member : node.threads)
    if (!member->program.isOutsider)
      checkReleased(*member, /*mayBeUnderWay=*/!hasSecondHalf(node));
  serveBehindBarrier(node);
  for (const Message &request : std::exchange(node.held, {}))
    serve(node, request);
}

void Simulation::moveHome(Node &node, const HomeMove &move) {
  const BlockId first = space_.firstBlockOf(move.unit);
  if (homeOf(node, first) != move.from)
    fail("a home gives away what is not its own", first, &node);
  node.movedHomes[move.unit] = move.heir;
  for (BlockId b = first; b < space_.firstBlockOf(move.unit + 1); ++b)
    if (const auto copy = node.copies.find(b); copy != node.copies.end())
      copy->second.latestPut = 0; // the old home has it
  if (move.from == node.self)
    noteFilled(node, first); // of another node's now
  else if (move.heir == node.self)
    forgetUnit(node, move.unit);
  if (move.heir != node.self)
    return;
  StepContext context;
  for (BlockId b = first; b < space_.firstBlockOf(move.unit + 1); ++b)
    step(node, b, Event::Adopt, context);
}

} // namespace ompdsm::simulator
