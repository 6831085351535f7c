// Barriers.cpp: the barrier over all nodes, which is a release and an acquire of each, by counts
// instead of acknowledgements, and the movement of homes that happens only there. By which rules:
// core/BarrierRules.h.
#include "protocol/core/BarrierRules.h"
#include "protocol/engine/EngineImpl.h"
#include "protocol/engine/EpochChoice.h"

namespace ompdsm {

namespace {
/// The Updates of one of so many barriers are watched. All of them together, as a loop goes without
/// checks where all of what it reads is open. Those of other releases all are: they may come many
/// times before a node gets the lock that they are about.
constexpr std::uint32_t kWatchedOneIn = 8;
/// The changes of one of so many epochs are looked at for sizes of blocks.
constexpr std::uint32_t kSizedOneIn = 4;
/// A node gives away in one barrier: runs of pages.
constexpr std::size_t kMaxMoves = 4096;

/// What the node has sent to each peer of which reportOf(peer) has something new.
template <class Peers, class ReportOf>
std::vector<Sent<std::uint64_t>> sentBy(NodeId self, Peers &peers, ReportOf reportOf) {
  std::vector<Sent<std::uint64_t>> sent;
  for (std::size_t n = 0; n < peers.size(); ++n)
    if (n != self && reportOf(peers[n]))
      sent.push_back({self, static_cast<NodeId>(n), peers[n].putsAnnounced.get(),
                      peers[n].invalidatesReported});
  return sent;
}
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
  fetchExpected(/*isBegin=*/false);
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
  Report own = arrive(thread, join);
  flushing.unlock();
  const Agreement all = meetAll(MessageKind::BarrierArrive, std::move(own), join).agreement;
  std::vector<MovedPages> moves;
  if (all.needSecondHalf())
    messenger.flush(); // the word of a join, too
  messenger.waitUntil([&] { return hasAllThatWasSent(peers_); });
  if (all.needSecondHalf()) {
    own = beDone(thread, all.askNothing, join);
    moves = meetAll(MessageKind::BarrierDone, std::move(own), join).moves;
    messenger.waitUntil([&] { return hasAllThatWasSent(peers_); });
  }
  if (leaveBarrier(all.needSecondHalf(), moves))
    messenger.flush();
  messenger.notify();
}

Engine::Impl::Report Engine::Impl::arrive(ThreadRegistration *thread, Join join) {
  const Lock guard = collectDirty(thread, Confirmation::Counted);
  supplyWithheld(thread);
  supplyOrdered(thread);
  const auto groups = groupsOfReport(MessageKind::BarrierArrive, join);
  postCollected(Confirmation::Counted); // what was kept is among what is reported
  streams_.endInterval();
  askBehindBarrier(thread);
  tellSiteReads();
  tellSilentStores();
  Report own;
  const bool givesAway = history_.wantsMoves() || sizing_.wantsAny();
  const bool hasFetched = std::exchange(hasFetched_, false);
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
  own.sent = sentBy(self, peers_, [](Peer &peer) { return peer.reportArrival(); });
  beginHalf(MessageKind::BarrierArrive, own, join);
  return own;
}

Engine::Impl::Report Engine::Impl::beDone(ThreadRegistration *thread, bool homesMove, Join join) {
  const Lock guard(lock);
  Report own;
  if (homesMove) {
    own.moves = cedePages(thread);
    recallPages(thread, own.moves);
  }
  const auto groups = groupsOfReport(MessageKind::BarrierDone, join);
  postCollected(Confirmation::Counted);
  isDone_ = true;
  own.sent = sentBy(self, peers_, [](Peer &peer) { return peer.reportDone(); });
  beginHalf(MessageKind::BarrierDone, own, join);
  return own;
}

bool Engine::Impl::leaveBarrier(bool hadSecondHalf, const std::vector<MovedPages> &moves) {
  Lock guard(lock);
  const std::uint32_t epoch = enteredEpoch_.load(std::memory_order_relaxed);
  history_.endEpoch();
  moveHomes(moves);
  sizing_.endEpoch(options.sizePatience == 1 ||
                   isChosen(epoch + 1, EpochChoice::Sizes, kSizedOneIn));
  for (unsigned n = 0; n < nodes; ++n)
    if (n != self)
      peers_[n].onBarrierDone();
  if (options.events)
    options.events->writeBarrier(RecordKind::Leave, epoch, hadSecondHalf);
  gathers_.endEpoch(site());
  // On all nodes alike, so that the copies that they give up then make one barrier longer.
  watchesUpdates_ = isChosen(epoch, EpochChoice::Watched, kWatchedOneIn);
  noteUnreadOfEpoch(unreadUpdates_.endEpoch());
  histories_.withheld.leave(site());
  forgetSoleSharers();
  completedEpoch_.store(epoch, std::memory_order_release); // pairs with isInBarrier
  homesMayMove_ = false;
  isDone_ = false;
  bool posted = serveBehindBarrier();
  posted |= fetchOffered();
  return replayHeldRequests() || posted;
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

void Engine::Impl::proposeHome(Address begin, std::size_t bytes, NodeId heir) {
  const Address end = begin + bytes;
  Lock guard(lock);
  while (begin < end) {
    const Area *area = sizes.find(begin);
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
    const Area &area = *sizes.find(unit);
    if (moves.size() == kMaxMoves)
      break;
    const NodeId heir = writers.heir(
        [&, unit = unit](NodeId writer) { return unitMayMove(area, unit, writer, thread); });
    if (heir == kUnitStays) {
      if (!offer(area, unit, writers))
        history_.noteStayed(unit);
      continue;
    }
    history_.noteMoved(unit);
    if (!area.homesByBlock)
      sizing_.forget(pageOf(unit));
    const Address end = homes.unitEnd(area, unit);
    forEachBlock(unit, end - unit, [&](const BlockRef &block) {
      StepContext context;
      context.node = heir;
      step(block, Event::Cede, context);
      blocks_.erase(block.begin, area.blockShift); // the heir, its last sharer, is the home now
    });
    if (area.homesByBlock) {
      statistics.blocksMigrated.fetch_add(1, std::memory_order_relaxed);
      moves.push_back({unit, 0, self, heir});
      moves.back().lines = static_cast<std::uint8_t>((end - unit) / kLineBytes);
      continue;
    }
    auto pages = static_cast<std::uint32_t>((end - pageOf(unit) + kPageBytes - 1) >> kPageShift);
    statistics.pagesMigrated.fetch_add(pages, std::memory_order_relaxed);
    if (!moves.empty() && moves.back().heir == heir &&
        moves.back().begin + moves.back().bytes() == pageOf(unit) &&
        sizes.find(moves.back().begin) == &area)
      moves.back().pages += pages;
    else
      moves.push_back({pageOf(unit), pages, self, heir});
  }
  postOffers();
  return moves;
}

bool Engine::Impl::unitMayMove(const Area &area, Address unit, NodeId heir,
                               ThreadRegistration *thread) {
  bool may = homes.homeOf(area, unit) == self;
  // All of them, which flushes what is listed: else it cannot be offered (Offers.cpp).
  if (may)
    forEachBlock(unit, homes.unitEnd(area, unit) - unit,
                 [&](const BlockRef &block) { may &= mayCedeBlock(block, heir, thread); });
  return may;
}

void Engine::Impl::recallPages(ThreadRegistration *thread, std::vector<MovedPages> &moves) {
  const std::vector<BlockSizing::Wanted> wanted = sizing_.wanted();
  for (const BlockSizing::Wanted &page : wanted) {
    if (moves.size() == kMaxMoves)
      break;
    const Area &area = *sizes.find(page.page);
    const std::size_t bytes = std::min(area.end, page.page + kPageBytes) - page.page;
    bool isHere = true, may = true;
    forEachBlock(page.page, bytes, [&](const BlockRef &block) {
      isHere = isHere && homes.homeOf(area, block.begin) == self;
      may = may && isHere && mayRecallBlock(block, thread);
    });
    if (!isHere)
      sizing_.keep(page.page);
    if (!may)
      continue;
    forEachBlock(page.page, bytes, [&](const BlockRef &block) {
      StepContext context;
      step(block, Event::Recall, context);
    });
    sizing_.onResized(page);
    statistics.pagesResized.fetch_add(1, std::memory_order_relaxed);
    MovedPages recalled{page.page, 1, self, self};
    recalled.blockShift = static_cast<std::uint8_t>(page.blockShift);
    moves.push_back(recalled);
  }
}

void Engine::Impl::resize(const MovedPages &recalled) {
  const Area &area = *sizes.find(recalled.begin);
  const std::size_t bytes = std::min(area.end, recalled.begin + kPageBytes) - recalled.begin;
  if (options.events)
    options.events->writeResize(recalled.begin, bytes, recalled.blockShift);
  cached_.erase(homes.unitOf(area, recalled.begin)); // until something is fetched again
  forEachBlock(recalled.begin, bytes, [&](const BlockRef &block) {
    OMPDSM_CHECK(isRecalled(stateOf(block), recalled.from == self,
                            blocks_.find(block.begin, area.blockShift)));
    blocks_.erase(block.begin, area.blockShift);
    // What is known by blocks of this size must not be found when they have it again.
    latestPuts_.onMoved(block.begin, area.blockShift);
    latestKept_.onMoved(block.begin, area.blockShift);
    soleBlocks_.set(block.begin, area.blockShift, false);
    saidSole_.set(block.begin, area.blockShift, false);
  });
  sizes.set(recalled.begin, recalled.blockShift);
}

void Engine::Impl::moveHomes(const std::vector<MovedPages> &moves) {
  if (!moves.empty())
    lastMoveEpoch_ = enteredEpoch_.load(std::memory_order_relaxed);
  for (const MovedPages &move : moves) {
    if (move.blockShift != 0) {
      resize(move);
      continue;
    }
    if (options.events)
      options.events->writeMove(move.begin, move.bytes(), move.heir);
    const std::size_t partBytes = move.pages ? kPageBytes : move.bytes();
    for (Address part = move.begin; part < move.begin + move.bytes(); part += partBytes)
      moveHome(part, partBytes, move);
  }
}

void Engine::Impl::moveHome(Address part, std::size_t bytes, const MovedPages &move) {
  const Area *area = sizes.find(part);
  OMPDSM_CHECK(area && homes.homeOf(*area, part) == move.from &&
               (move.pages || area->homesByBlock));
  const Address end = std::min(area->end, part + bytes);
  homes.move(*area, part, move.heir);
  if (move.from != self)
    forEachBlock(part, end - part, [&](const BlockRef &block) {
      latestPuts_.onMoved(block.begin, area->blockShift);
      latestKept_.onMoved(block.begin, area->blockShift);
    });
  if (move.from == self)
    noteFilled(part, end - part); // of another node's now
  else if (move.heir == self && move.pages)
    cached_.erase(homes.unitOf(*area, part));
  if (move.heir != self)
    return;
  if (area->homesByBlock)
    sizing_.keep(pageOf(part));
  for (Address at = part; at < end;) {
    BlockRef block = blockAt(*area, at);
    if (block.begin >= part) { // a block of several pages is adopted with its first
      StepContext context;
      step(block, Event::Adopt, context);
    }
    at = block.begin + block.bytes;
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
