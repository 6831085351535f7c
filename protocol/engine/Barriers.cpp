// Barriers.cpp: the barrier over all nodes, which is a release and an acquire of each, by counts
// instead of acknowledgements, and the movement of homes that happens only there. By which rules:
// core/BarrierRules.h.
#include "protocol/core/BarrierRules.h"
#include "protocol/engine/EngineImpl.h"

namespace ompdsm {

namespace {
constexpr std::size_t kMovedBytes = sizeof(std::uint64_t) + sizeof(std::uint32_t) + sizeof(NodeId);
/// The Updates of one of so many barriers are watched. All of them together, as a loop goes without
/// checks where all of what it reads is open. Those of other releases all are: they may come many
/// times before a node gets the lock that they are about.
constexpr unsigned kWatchedOneIn = 8;
constexpr std::size_t kMaxMoves = (Messenger::kMaxBodyBytes - 64) / kMovedBytes;
} // namespace

void Engine::Impl::barrier(ThreadRegistration *thread, Join join, SiteId site) {
  StopWatch watch(statistics.nanosecondsInBarriers);
  SiteWatch siteWatch(sites, site, &SiteCounts::nanosecondsInBarriers);
  comeTo(site);
  statistics.barriers.fetch_add(1, std::memory_order_relaxed);
  grace.syncPoint(thread);
  meetAndMove(thread, join);
  giveUpUnread(thread);
  // Other online threads may have opened or asked for blocks of untracked areas meanwhile.
  grace.syncPoint(thread);
  acquireWhatIsHere(thread);
  fetchExpected();
}

void Engine::Impl::meetAndMove(ThreadRegistration *thread, Join join) {
  // Homes move only where no request can be under way to a former one: not while a thread is online
  // that takes no part in the program's barriers. What is fetched ahead arrives first.
  bool alone;
  {
    Lock guard(lock);
    alone = grace.othersOffline(thread);
  }
  if (alone)
    messenger.waitUntil([&] { return requestsInFlight_.load(std::memory_order_acquire) == 0; });
  std::unique_lock flushing(flushMutex_);
  const Messenger::Attendance attendance(messenger); // not while waiting for another flush
  Report own = arrive(thread);
  flushing.unlock();
  const Agreement all = meetAll(std::move(own), join);
  messenger.waitUntil([&] { return hasAllThatWasSent(peers_); });
  std::vector<MovedPages> moves;
  if (all.needSecondHalf()) {
    moves = tellDone(thread, all.askNothing);
    messenger.flush();
    const std::uint32_t epoch = enteredEpoch_.load(std::memory_order_relaxed);
    messenger.waitUntil([&] { return allAreDone(peers_, self, epoch); });
  }
  if (leaveBarrier(all.needSecondHalf(), moves))
    messenger.flush();
  messenger.notify();
}

Engine::Impl::Report Engine::Impl::arrive(ThreadRegistration *thread) {
  flushDirty(thread, Confirmation::Counted);
  Lock guard(lock);
  postKept(); // is among what is reported
  askBehindBarrier(thread);
  Report own;
  const bool givesAway = history_.wantsMoves(), hasFetched = std::exchange(hasFetched_, false);
  own.agreement.areSettled = options.shortBarriers && isSettled(peers_, givesAway);
  own.agreement.tellNobody =
      options.shortBarriers && tellsNobody(peers_, givesAway, hasFetched && nodes > 2);
  homesMayMove_ = mayPromiseToAskNothing(grace.othersOffline(thread), requestsInFlight_ != 0,
                                         hasUnsentChanges());
  own.agreement.askNothing = homesMayMove_;
  const std::uint32_t epoch = enteredEpoch_.load(std::memory_order_relaxed) + 1;
  enteredEpoch_.store(epoch, std::memory_order_release); // pairs with isInBarrier
  if (options.events)
    options.events->writeBarrier(RecordKind::Arrive, epoch);
  for (unsigned n = 0; n < nodes; ++n)
    if (n != self && peers_[n].reportArrival())
      own.sent.push_back({self, static_cast<NodeId>(n), peers_[n].putsSent.get(),
                          peers_[n].invalidatesSent.get()});
  return own;
}

std::vector<MovedPages> Engine::Impl::tellDone(ThreadRegistration *thread, bool homesMove) {
  Lock guard(lock);
  std::vector<MovedPages> moves;
  if (homesMove)
    moves = cedePages(thread);
  postCollected(Confirmation::Counted);
  isDone_ = true;
  WireWriter body(sizeof(std::uint32_t) + moves.size() * kMovedBytes);
  body.put(enteredEpoch_.load(std::memory_order_relaxed));
  for (const MovedPages &move : moves) {
    body.put(move.firstPage);
    body.put(move.pages);
    body.put(move.heir);
  }
  for (unsigned n = 0; n < nodes; ++n)
    if (n != self) {
      peers_[n].announceInvalidates();
      messenger.post(static_cast<NodeId>(n), MessageKind::BarrierDone, {body.bytes()},
                     fabric::Urgency::WhenWaiting);
    }
  return moves;
}

bool Engine::Impl::leaveBarrier(bool hadSecondHalf, const std::vector<MovedPages> &moves) {
  Lock guard(lock);
  const std::uint32_t epoch = enteredEpoch_.load(std::memory_order_relaxed);
  history_.endEpoch();
  moveHomes(self, moves);
  for (unsigned n = 0; n < nodes; ++n)
    if (n != self) {
      peers_[n].onBarrierDone();
      moveHomes(static_cast<NodeId>(n), std::exchange(peers_[n].moves, {}));
    }
  if (options.events)
    options.events->writeBarrier(RecordKind::Leave, epoch, hadSecondHalf);
  watchesUpdates_ = isOneIn(kWatchedOneIn);
  for (const Address address : unreadUpdates_.endEpoch())
    if (const BlockRef block = blockAt(*map.find(address), address);
        stateOf(block) == BlockState::Unread)
      noteUnread(block, /*patient=*/true);
  completedEpoch_.store(epoch, std::memory_order_release); // pairs with isInBarrier
  homesMayMove_ = false;
  isDone_ = false;
  const bool served = serveBehindBarrier();
  return replayHeldRequests() || served;
}

bool Engine::Impl::hasUnsentChanges() const {
  return std::any_of(blocks_.dirty().begin(), blocks_.dirty().end(),
                     [&](Address block) { return keepsUnsentChanges(states_.stateAt(block)); });
}

bool Engine::Impl::waitedForMoves(Lock &guard) {
  if (!homesMayMove_)
    return false;
  guard.unlock();
  messenger.waitUntil([&] { return !homesMayMove_; });
  return true;
}

void Engine::Impl::onBarrierDone(NodeId from, fabric::Bytes body) {
  {
    Lock guard(lock);
    WireReader reader(body);
    std::uint32_t epoch = 0;
    OMPDSM_CHECK(reader.get(epoch));
    Peer &peer = peers_[from];
    while (!reader.atEnd()) {
      MovedPages move;
      OMPDSM_CHECK(reader.get(move.firstPage) && reader.get(move.pages) && reader.get(move.heir) &&
                   move.heir < nodes && move.firstPage % kPageBytes == 0);
      peer.moves.push_back(move);
    }
    peer.doneEpoch.set(epoch); // last: who sees it sees the rest
  }
  messenger.notify();
}

void Engine::Impl::proposeHome(Address begin, std::size_t bytes, NodeId heir) {
  const Address end = begin + bytes;
  Lock guard(lock);
  while (begin < end) {
    const Area *area = map.find(begin);
    if (!area)
      return;
    const Address unit = homes.unitOf(*area, begin);
    // As if the heir had changed them: that is what moves pages.
    if (homes.homeOf(*area, begin) == self && area->migratable && history_.isKept())
      history_.propose(unit, heir);
    begin = homes.unitEnd(*area, unit);
  }
}

std::vector<MovedPages> Engine::Impl::cedePages(ThreadRegistration *thread) {
  std::vector<MovedPages> moves;
  for (const auto &[unit, writers] : history_.candidates()) {
    const Area &area = *map.find(unit);
    if (moves.size() == kMaxMoves)
      break;
    const NodeId heir = writers.heir(
        [&, unit = unit](NodeId writer) { return unitMayMove(area, unit, writer, thread); });
    if (heir == kUnitStays) {
      history_.noteStayed(unit);
      continue;
    }
    history_.noteMoved(unit);
    Address end = homes.unitEnd(area, unit);
    forEachBlock(unit, end - unit, [&](const BlockRef &block) {
      StepContext context;
      context.node = heir;
      step(block, Event::Cede, context);
      blocks_.erase(block.begin, area.blockShift); // the heir, its last sharer, is the home now
    });
    auto pages = static_cast<std::uint32_t>((end - pageOf(unit) + kPageBytes - 1) >> kPageShift);
    statistics.pagesMigrated.fetch_add(pages, std::memory_order_relaxed);
    if (!moves.empty() && moves.back().heir == heir &&
        moves.back().firstPage + Address(moves.back().pages) * kPageBytes == pageOf(unit) &&
        map.find(moves.back().firstPage) == &area)
      moves.back().pages += pages;
    else
      moves.push_back({pageOf(unit), pages, heir});
  }
  return moves;
}

bool Engine::Impl::unitMayMove(const Area &area, Address unit, NodeId heir,
                               ThreadRegistration *thread) {
  bool may = homes.homeOf(area, unit) == self;
  forEachBlock(unit, homes.unitEnd(area, unit) - unit,
               [&](const BlockRef &block) { may = may && mayCedeBlock(block, heir, thread); });
  return may;
}

void Engine::Impl::moveHomes(NodeId from, const std::vector<MovedPages> &moves) {
  if (!moves.empty())
    lastMoveEpoch_ = enteredEpoch_.load(std::memory_order_relaxed);
  for (const MovedPages &move : moves) {
    if (options.events)
      options.events->writeMove(move.firstPage, Address(move.pages) * kPageBytes, move.heir);
    for (std::uint32_t i = 0; i < move.pages; ++i) {
      Address page = move.firstPage + Address(i) * kPageBytes;
      const Area *area = map.find(page);
      OMPDSM_CHECK(area && homes.homeOf(*area, page) == from);
      homes.move(*area, page, move.heir);
      if (from != self)
        forEachBlock(
            page, std::min(area->end, page + kPageBytes) - page,
            [&](const BlockRef &block) { latestPuts_.onMoved(block.begin, area->blockShift); });
      if (from == self)
        noteFilled(page, std::min(area->end, page + kPageBytes) - page); // of another node's now
      else if (move.heir == self)
        cached_.erase(homes.unitOf(*area, page));
      if (move.heir != self)
        continue;
      Address end = std::min(area->end, page + kPageBytes);
      for (Address at = page; at < end;) {
        BlockRef block = blockAt(*area, at);
        if (block.begin >= page) { // a block of several pages is adopted with its first
          StepContext context;
          step(block, Event::Adopt, context);
        }
        at = block.begin + block.bytes;
      }
    }
  }
}

bool Engine::Impl::replayHeldRequests() {
  std::deque<HeldRequest> held = std::exchange(held_, {});
  for (const HeldRequest &request : held) {
    WireReader reader(request.body);
    RequestHead head;
    OMPDSM_CHECK(reader.get(head) && head.epoch <= completedEpoch_);
    serveRequest(request.from, request.kind, head, reader);
  }
  messenger.holdRequests(false);
  return !held.empty();
}

} // namespace ompdsm
