// Releases.cpp: a release sends what the node has changed to the homes and waits until nobody can
// read the old bytes any more.
#include "protocol/engine/EngineImpl.h"

namespace ompdsm {

namespace {
/// What is visited under one hold of the lock, and leaves in the same messages: bytes, and what a
/// block costs whatever its size. 128 blocks of 2 KiB, 426 of 256 bytes.
constexpr std::size_t kCostPerHold = 320 * 1024, kCostOfBlock = 512;
/// So many blocks before it is visited the record of one is fetched into the cache.
constexpr std::size_t kRecordsAhead = 4;
/// One of so many flushes watches what is overwritten and was not read before, and one of so many
/// expects readers that were sent changes in vain before.
constexpr unsigned kWatchedAgainOneIn = 64, kBelievedAgainOneIn = 32;
/// In one of so many intervals the home's dense blocks are opened with twins, to see if they still
/// are.
constexpr unsigned kTwinsAgainOneIn = 16;
} // namespace

void Engine::Impl::acquire(ThreadRegistration *thread) {
  grace.syncPoint(thread);
  if (mayLagBehind())
    askPeers();
  acquireWhatIsHere(thread);
}

void Engine::Impl::askPeers() {
  Needs needs;
  {
    Lock guard(lock);
    askAllPeers(
        peers_, self,
        [&](std::size_t n) { postPut(static_cast<NodeId>(n), Confirmation::Acknowledged); },
        [&](std::size_t n, ReleaseNeed<std::uint64_t> need) { needs.push_back({n, need}); });
  }
  waitFor(needs);
  messenger.waitUntil([&] {
    return std::all_of(peers_.begin(), peers_.end(),
                       [](const Peer &peer) { return peer.hasAllSaid(); });
  });
}

void Engine::Impl::acquireWhatIsHere(ThreadRegistration *thread) {
  atomics_.interval.fetch_add(1, std::memory_order_relaxed);
  // The home has told nobody what it wrote untracked before the release that this acquire follows.
  // A twin from before it hides stores of the values that it holds, so W ends and the next writer
  // fetches. What the home has not yet sent may have left it before those writes, too.
  if (untrackedDirty_ != 0 || untrackedFetching_ != 0) {
    messenger.waitUntil([&] { return untrackedFetching_ == 0; });
    if (untrackedDirty_ != 0)
      release(thread);
  }
  dropForeignCopies();
}

void Engine::Impl::dropForeignCopies() {
  // Seen without the lock: what the calling thread must not see again became so before.
  if (foreignCopyCount_.load(std::memory_order_relaxed) == 0)
    return;
  Lock guard(lock);
  for (Address address : std::exchange(foreignCopies_, {})) {
    const BlockRef block = blockAt(address);
    StepContext context;
    if (isDroppedByAcquire(stateOf(block)))
      step(block, Event::Invalidate, context);
  }
  foreignCopyCount_.store(0, std::memory_order_relaxed);
}

void Engine::Impl::release(ThreadRegistration *thread, std::span<const NodeId> followers) {
  const bool toAll = followers.empty(), recorded = options.events && toAll;
  leaveInterval(thread);
  StopWatch watch(statistics.nanosecondsInReleases);
  std::unique_lock flushing(flushMutex_);
  const Messenger::Attendance attendance(messenger); // not while waiting for another flush
  const Needs needs = flushTowards(thread, followers, recorded);
  flushing.unlock();
  if (toAll || !needs.empty()) // else all of it leaves with the caller's message
    waitFor(needs);
  if (recorded)
    options.events->writeRelease(RecordKind::Released);
}

PendingRelease Engine::Impl::beginRelease(ThreadRegistration *thread) {
  leaveInterval(thread);
  StopWatch watch(statistics.nanosecondsInReleases);
  const std::unique_lock flushing(flushMutex_);
  const Messenger::Attendance attendance(messenger);
  Needs needs;
  {
    const Lock guard = flushDirty(thread, Confirmation::Deferred);
    listReleaseNeeds(peers_, [&](std::size_t n, ReleaseNeed<std::uint64_t> need) {
      needs.push_back({n, need});
    });
  }
  waitForRoom();
  return PendingRelease(std::move(needs));
}

void Engine::Impl::askFor(PendingRelease &begun, std::optional<NodeId> receiver) {
  Lock guard(lock);
  begun.forEachNeed([&](std::size_t n, ReleaseNeed<std::uint64_t> &need) {
    if (n != receiver)
      askForNeed(
          n, peers_[n], need,
          [&](std::size_t) { postPut(static_cast<NodeId>(n), Confirmation::Acknowledged); },
          [&](std::size_t) {
            postInvalidates(static_cast<NodeId>(n), Confirmation::Acknowledged);
          });
  });
  if (receiver)
    messenger.sendSoon(*receiver);
}

void Engine::Impl::leaveInterval(ThreadRegistration *thread) {
  grace.syncPoint(thread);
  statistics.releases.fetch_add(1, std::memory_order_relaxed);
  giveUpUnread(thread);
}

Engine::Impl::Needs Engine::Impl::flushTowards(ThreadRegistration *thread,
                                               std::span<const NodeId> followers, bool recorded) {
  const auto follows = [&](std::size_t n) {
    return std::find(followers.begin(), followers.end(), n) != followers.end();
  };
  Needs needs;
  Lock guard =
      flushDirty(thread, followers.empty() ? Confirmation::Acknowledged : Confirmation::Followed);
  askWhatReleaseNeeds(
      peers_, follows,
      [&](std::size_t n) { postPut(static_cast<NodeId>(n), Confirmation::Acknowledged); },
      [&](std::size_t n) { postInvalidates(static_cast<NodeId>(n), Confirmation::Acknowledged); },
      [&](std::size_t n, ReleaseNeed<std::uint64_t> need) { needs.push_back({n, need}); });
  if (recorded)
    options.events->writeRelease(RecordKind::Releasing);
  guard.unlock();
  waitForRoom();
  return needs;
}

bool Engine::Impl::isConfirmed(const Needs &needs, std::optional<NodeId> but) const {
  return std::all_of(needs.begin(), needs.end(), [&](const auto &need) {
    return need.first == but || need.second.isMet(peers_[need.first]);
  });
}

bool Engine::Impl::hasProcessed(NodeId giver, Handover<std::uint64_t> handover) const {
  return handover.isProcessed(peers_[giver]);
}

void Engine::Impl::waitFor(const Needs &needs) {
  messenger.flush();
  messenger.waitUntil([&] { return isConfirmed(needs); });
}

Engine::Impl::Lock Engine::Impl::flushDirty(ThreadRegistration *thread, Confirmation confirmation) {
  Lock guard = collectDirty(thread, confirmation);
  postCollected(confirmation); // leaves with what the caller has to say
  return guard;
}

void Engine::Impl::waitForRoom() {
  for (unsigned n = 0; n < nodes; ++n)
    for (const MessageKind kind : {MessageKind::Put, MessageKind::Invalidate})
      messenger.waitForRoom(static_cast<NodeId>(n), kind);
}

Engine::Impl::Lock Engine::Impl::collectDirty(ThreadRegistration *thread,
                                              Confirmation confirmation) {
  std::vector<Address> postponed;
  Lock guard(lock);
  if (confirmation != Confirmation::Counted)
    postKept(); // others may have to confirm it for this release (trap 6)
  if (blocks_.dirty().empty())
    return guard;
  std::vector<Address> work = blocks_.takeDirty();
  histories_.watchesAgain = isOneIn(kWatchedAgainOneIn);
  histories_.believesAgain = isOneIn(kBelievedAgainOneIn);
  histories_.opensWithTwins = isOneIn(kTwinsAgainOneIn);
  guard.unlock();
  // A block that an atomic operation flushed by itself may be listed twice, or no more.
  std::sort(work.begin(), work.end());
  work.erase(std::unique(work.begin(), work.end()), work.end());
  for (;;) {
    for (std::size_t at = 0; at < work.size();) {
      guard.lock();
      putConfirmation_ = confirmation;
      std::size_t cost = 0;
      for (; at < work.size() && cost < kCostPerHold; ++at) {
        const BlockRef block = blockAt(work[at]);
        cost += block.bytes + kCostOfBlock;
        if (at + kRecordsAhead < work.size())
          blocks_.prefetch(work[at + kRecordsAhead], block.area->blockShift);
        switch (flushBlock(block, thread)) {
        case FlushResult::Off:
          break;
        case FlushResult::Relist:
          blocks_.relist(work[at]);
          break;
        case FlushResult::Postponed:
          postponed.push_back(work[at]);
          break;
        }
        if (messenger.isBlocked()) // more would be copied into the queue
          cost = kCostPerHold;
      }
      if (at == work.size() && postponed.empty())
        return guard;
      postCollected(confirmation, Invalidates::Later);
      guard.unlock();
      messenger.flush();
      messenger.makeProgress(); // the caller may attend to it
      for (unsigned n = 0; n < nodes; ++n)
        for (const MessageKind kind : {MessageKind::Put, MessageKind::Invalidate})
          messenger.waitUntilTaken(static_cast<NodeId>(n), kind);
    }
    // A reply that the home sent before it saw our Put would bring the old bytes back (trap 8).
    work = std::exchange(postponed, {});
    messenger.waitUntil([&] {
      return std::none_of(work.begin(), work.end(),
                          [&](Address block) { return isFetching(states_.stateAt(block)); });
    });
  }
}

} // namespace ompdsm
