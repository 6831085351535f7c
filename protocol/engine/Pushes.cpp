// Pushes.cpp: changes that a home sends unasked to nodes that are expected to read them
// (PushPrediction.h), and what happens to those that nobody reads.
//
// Some Updates are watched: their blocks are closed until a thread reads them, which costs a miss
// without a message. A block that is updated again and again before anybody has read it is given up
// (UnreadUpdates.h), or after the barrier that the node is in, so that a wrong prediction costs a
// bounded number of messages.
#include "protocol/engine/EngineImpl.h"

namespace ompdsm {

namespace {
/// An Update of a release that finds the one before unread is reason to give the copy up once in so
/// many times: a node may write under a lock several times before another takes it, and is not
/// disturbed by what it is sent.
constexpr unsigned kReleasesBorne = 128;

/// xorshift64 (Marsaglia, Xorshift RNGs, Journal of Statistical Software 2003).
std::uint64_t nextOf(std::uint64_t &state) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}
} // namespace

bool Engine::Impl::isOneIn(unsigned count) { return nextOf(dice_) % count == 0; }

void Engine::Impl::onUpdate(NodeId from, fabric::Bytes body) {
  WireReader reader(body);
  UpdateHead head;
  OMPDSM_CHECK(reader.get(head));
  takeUpdate(from, head, reader);
}

void Engine::Impl::onCommonUpdate(NodeId from, fabric::Bytes body) {
  WireReader reader(body);
  UpdateHead head;
  OMPDSM_CHECK(reader.get(head));
  std::optional<std::uint32_t> putsProcessed;
  for (std::uint32_t i = 0; i < head.putsProcessed; ++i) {
    ReceiverPuts puts;
    OMPDSM_CHECK(reader.get(puts));
    if (puts.node == self)
      putsProcessed = puts.putsProcessed;
  }
  OMPDSM_CHECK(putsProcessed);
  head.putsProcessed = *putsProcessed;
  takeUpdate(from, head, reader);
}

void Engine::Impl::takeUpdate(NodeId from, const UpdateHead &head, WireReader &reader) {
  {
    Lock guard(lock);
    OMPDSM_CHECK(readPutLines(reader, putLines_));
    if (!head.ofRelease)
      gathers_.onUpdate(head.site, from);
    bool arePagesSupplied = false;
    const bool watched = head.ofRelease || watchesUpdates_;
    forEachChanged(putLines_, [&](const BlockRef &block, std::span<const PutLine> lines) {
      const bool isMissing = stateOf(block) == BlockState::Invalid;
      const bool isOrdered = isMissing && strides_.takeOrdered(head.site, block.begin);
      const bool mayBeWithheld = options.pushBySite && head.site != kNoSite && !isOrdered &&
                                 WithheldChanges::isMuch(changedBytes(lines), block.bytes);
      bool watches =
          isOrdered ? strides_.isWatched(block.begin)
                    : watched ||
                          (mayBeWithheld && histories_.unreadSites.watches(head.site, block.begin,
                                                                           block.area->blockShift));
      if (stateOf(block) == BlockState::Clean) {
        watches = unreadUpdates_.onOpen(block.begin, block.area->blockShift, watches);
      } else if (stateOf(block) == BlockState::Unread && !head.ofRelease) {
        unreadUpdates_.onUpdated(block.begin);
      } else if (stateOf(block) == BlockState::Unread && isOneIn(kReleasesBorne)) {
        noteUnread(block, UnreadUpdates::Borne::None);
      }
      soleBlocks_.set(block.begin, block.area->blockShift,
                      isSoleSharer(stateOf(block), lines.front().isSole));
      if (sites)
        countUpdate(block, head.site);
      StepContext context;
      context.node = from;
      context.lines = lines;
      const PutLine &first = lines.front();
      const bool refreshed = first.whole && first.why == WholeBlock::Refreshed;
      if (refreshed && isMissing && pages && pages->isAbsent(block.begin) &&
          !std::exchange(arePagesSupplied, true))
        supplyRefreshedPages(head.putsProcessed);
      const bool crossed = refreshed && (latestPuts_.hasCrossed(block.begin, block.area->blockShift,
                                                                head.putsProcessed) ||
                                         (isMissing && pages && pages->isAbsent(block.begin)));
      const bool crossedUpdate =
          changedBytes(lines) != 0 &&
          latestKept_.hasCrossed(block.begin, block.area->blockShift, head.putsProcessed);
      const Event event =
          classifyUpdate(stateOf(block), refreshed, crossed, watches, crossedUpdate);
      if (event == Event::UpdateWatched && !head.ofRelease) {
        unreadUpdates_.onClosed(block.begin);
        if (mayBeWithheld)
          histories_.unreadSites.onClosed(head.site, block.begin);
      }
      if (refreshed && !isOrdered && (isMissing || isFetching(stateOf(block))))
        histories_.unreadSites.onSupplied(block.begin, block.area->blockShift);
      if (isMissing && event != Event::Discard)
        noteFilled(block.begin, block.bytes);
      if (sites && event == Event::UpdateWatched)
        sites->onWatched(block.begin, head.site);
      step(block, event, context);
    });
    postLeaves(); // of copies that were discarded
    confirmInvalidate(from, head.wantsAck);
    evictUnread(nullptr); // an idle node has no release
  }
  messenger.notify();
}

void Engine::Impl::countUpdate(const BlockRef &block, SiteId sentAt) {
  if (stateOf(block) == BlockState::Unread)
    sites->onOutcome(block.begin, /*isRead=*/false);
  else if (isFetching(stateOf(block)))
    sites->count(sentAt, [](SiteCounts &counts) { ++counts.pushesLate; });
}

void Engine::Impl::noteUnread(const BlockRef &block, UnreadUpdates::Borne borne) {
  if (!unreadUpdates_.onUnread(block.begin, block.area->blockShift, borne))
    return;
  unread_.push_back(block.begin);
  anyUnread_.store(true, std::memory_order_relaxed);
}

void Engine::Impl::noteUnreadOfEpoch(const UnreadUpdates::Ended &ended) {
  const auto visit = [&](const std::vector<Address> &addresses, BlockState unread, auto &&note) {
    for (const Address address : addresses)
      if (const BlockRef block = blockAt(address); stateOf(block) == unread)
        note(block);
  };
  visit(ended.updated, BlockState::Unread, [&](const BlockRef &block) {
    const bool learns = histories_.unreadSites.onUnread(site(), block.begin, block.area->blockShift,
                                                        /*ended=*/false);
    noteUnread(block, learns ? UnreadUpdates::Borne::ToLearn : UnreadUpdates::Borne::One);
  });
  visit(ended.invalidated, BlockState::Invalid, [&](const BlockRef &block) {
    (void)histories_.unreadSites.onUnread(site(), block.begin, block.area->blockShift,
                                          /*ended=*/true);
  });
}

void Engine::Impl::giveUpUnread(ThreadRegistration *thread) {
  if (!anyUnread_.load(std::memory_order_relaxed))
    return;
  {
    Lock guard(lock);
    evictUnread(thread);
  }
  messenger.flush();
}

void Engine::Impl::evictUnread(ThreadRegistration *thread) {
  if (homesMayMove_ || unread_.empty())
    return; // in a barrier the home may be about to be another
  std::vector<Address> unread = std::exchange(unread_, {});
  std::sort(unread.begin(), unread.end()); // so that neighbours leave as one run
  for (Address address : unread) {
    const BlockRef block = blockAt(address);
    if (stateOf(block) != BlockState::Unread)
      continue;
    histories_.unreadSites.onEnded(address);
    if (evictBlock(block, thread))
      statistics.pushesUnread.fetch_add(1, std::memory_order_relaxed);
  }
  anyUnread_.store(false, std::memory_order_relaxed);
  postLeaves();
}

} // namespace ompdsm
