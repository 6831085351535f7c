// Releases.cpp: a release sends what the node has changed to the homes and waits until nobody can
// read the old bytes any more.
#include "protocol/engine/EngineImpl.h"

namespace ompdsm {

namespace {
/// Blocks that are visited under one hold of the lock.
constexpr std::size_t kBlocksPerHold = 128;
} // namespace

void Engine::Impl::acquire(ThreadRegistration *thread) {
  grace.syncPoint(thread);
  // The home has told nobody what it wrote untracked before the release that this acquire follows. A
  // twin from before it hides stores of the values that it holds, so W ends and the next writer
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
    const BlockRef block = blockAt(*map.find(address), address);
    StepContext context;
    // As if the home had said so. A fetch that is under way brings what is there when it is served.
    if (const BlockState state = stateOf(block);
        state == BlockState::Clean || state == BlockState::Closing)
      step(block, Event::Invalidate, context);
  }
  foreignCopyCount_.store(0, std::memory_order_relaxed);
}

void Engine::Impl::release(ThreadRegistration *thread) {
  grace.syncPoint(thread);
  statistics.releases.fetch_add(1, std::memory_order_relaxed);
  StopWatch watch(statistics.nanosecondsInReleases);
  struct Need {
    unsigned node;
    std::uint64_t acks, confirmed;
  };
  std::vector<Need> needs;
  {
    std::lock_guard flushing(flushMutex_);
    flushDirty(thread, Confirmation::Acknowledged);
    // Everything that the node has in flight, whoever sent it (trap 6).
    Lock guard(lock);
    for (unsigned n = 0; n < nodes; ++n) {
      Peer &peer = peers_[n];
      Need need{n, peer.acksWanted.load(std::memory_order_relaxed),
                peer.invalidatesSent.load(std::memory_order_relaxed)};
      if (peer.acksReceived.load(std::memory_order_acquire) < need.acks ||
          peer.invalidatesConfirmed.load(std::memory_order_acquire) < need.confirmed)
        needs.push_back(need);
    }
    if (needs.empty())
      return;
    askConfirmations();
  }
  messenger.flush();
  messenger.waitUntil([&] {
    return std::all_of(needs.begin(), needs.end(), [&](const Need &need) {
      const Peer &peer = peers_[need.node];
      return peer.acksReceived.load(std::memory_order_acquire) >= need.acks &&
             peer.invalidatesConfirmed.load(std::memory_order_acquire) >= need.confirmed;
    });
  });
}

void Engine::Impl::flushDirty(ThreadRegistration *thread, Confirmation confirmation) {
  std::vector<Address> work, postponed;
  {
    Lock guard(lock);
    if (blocks_.dirty().empty())
      return;
    work = blocks_.takeDirty();
  }
  // A block that an atomic operation flushed by itself may be listed twice, or no more.
  std::sort(work.begin(), work.end());
  work.erase(std::unique(work.begin(), work.end()), work.end());
  while (!work.empty()) {
    for (std::size_t at = 0; at < work.size();) {
      {
        Lock guard(lock);
        putConfirmation_ = confirmation;
        for (std::size_t end = std::min(work.size(), at + kBlocksPerHold); at < end; ++at)
          if (!flushBlock(work[at], thread))
            postponed.push_back(work[at]);
          else if (isListed(states_.stateAt(work[at])))
            blocks_.relist(work[at]);
        postCollected(confirmation);
      }
      messenger.flush();
      for (unsigned n = 0; n < nodes; ++n) {
        messenger.waitForRoom(static_cast<NodeId>(n), MessageKind::Put);
        messenger.waitForRoom(static_cast<NodeId>(n), MessageKind::Invalidate);
      }
    }
    // A reply that the home sent before it saw our Put would bring the old bytes back (trap 8).
    work = std::exchange(postponed, {});
    messenger.waitUntil([&] {
      return std::none_of(work.begin(), work.end(), [&](Address block) {
        return isFetching(states_.stateAt(block));
      });
    });
  }
}

bool Engine::Impl::flushBlock(Address begin, ThreadRegistration *thread) {
  BlockRecord *record = blocks_.find(begin);
  if (!record || !record->listed)
    return true;
  BlockRef block = blockAt(*map.find(begin), begin);
  BlockState state = stateOf(block);
  FlushSituation situation;
  bool open = !(missBits(state) & kWriteMisses);
  // Before the snapshot: a thread that is not quiet by then may store and become so at any time, and
  // what it stores after the snapshot is found only if the twin stays.
  situation.quiet = open ? grace.othersOffline(thread) : grace.isQuiet(record->graceStamp, thread);
  snapshot(snapshot_.data(), memoryOf(block), block.bytes);
  for (std::size_t line = 0; line < block.bytes / kLineBytes; ++line) {
    masks_[line] = differingBytes(snapshot_.data() + line * kLineBytes, record->twin + line * kLineBytes);
    situation.changed |= masks_[line] != 0;
  }
  situation.distrusted = record->distrusted;
  situation.unshared = record->sharers.empty();
  if (situation.changed && isHomeState(state))
    noteWriter(block, self);

  StepContext context;
  context.snapshot = snapshot_.data();
  context.masks = masks_.data();
  step(block, classifyFlush(state, situation), context);
  return !context.postponed;
}

} // namespace ompdsm
