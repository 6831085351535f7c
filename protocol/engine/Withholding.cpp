// Withholding.cpp: changes that a home does not send at a barrier behind which nobody reads them
// (WithheldChanges.h), and the blocks that it sends instead where they are read.
//
// Who does not read (UnreadSites.h) tells the homes as it arrives, with its report, and where it
// does. A home supplies with what its own flush sends. It stays the home of what it supplies in
// that barrier, as the receiver may not be able to use it; and supplies nothing in one that follows
// on moves, which the receiver may still have to hear of.
#include "protocol/engine/EngineImpl.h"
#include "protocol/engine/RunMessages.h"
#include <algorithm>

namespace ompdsm {

void Engine::Impl::supplyWithheld(ThreadRegistration *thread) {
  WithheldChanges &withheld = histories_.withheld;
  if (withheld.isEmpty())
    return;
  for (const WithheldChanges::Owed &owed : withheld.owedAt(site()))
    withheld.onSupply(owed, supply(blockAt(owed.block), owed.node, thread));
}

bool Engine::Impl::supply(const BlockRef &block, NodeId to, ThreadRegistration *thread) {
  if (lastMoveEpoch_ == completedEpoch_.load(std::memory_order_relaxed) ||
      homes.homeOf(*block.area, block.begin) != self)
    return false;
  const Supplied supplied = stepSupply(block, to, thread);
  if (supplied == Supplied::No)
    return false;
  noteWriter(block, kUnitStays);
  hasFetched_ |= supplied == Supplied::BesideSole;
  statistics.blocksSupplied.fetch_add(1, std::memory_order_relaxed);
  return true;
}

void Engine::Impl::forgetSoleSharers() {
  // All that they have put before is here.
  for (const Address address : histories_.withheld.takeEnded()) {
    const BlockRef block = blockAt(address);
    if (stateOf(block) == BlockState::Exclusive)
      saidSole_.set(block.begin, block.area->blockShift, false);
  }
}

void Engine::Impl::tellSiteReads() {
  if (!histories_.unreadSites.hasNotices())
    return;
  std::vector<UnreadSites::Notice> notices = histories_.unreadSites.takeNotices();
  const auto homeOf = [&](Address address) { return homes.homeOf(*sizes.find(address), address); };
  std::sort(notices.begin(), notices.end(), [](const auto &a, const auto &b) {
    return std::tuple(a.site, a.isRead, a.block) < std::tuple(b.site, b.isRead, b.block);
  });
  for (std::size_t first = 0; first < notices.size();) {
    // Of one kind, site and home, as many as fit into a message.
    constexpr std::size_t kMostRuns = 4096;
    SiteReadsHead head;
    head.site = notices[first].site;
    head.isRead = notices[first].isRead;
    const NodeId home = homeOf(notices[first].block);
    RunCollector runs;
    for (; first < notices.size() && notices[first].site == head.site &&
           notices[first].isRead == head.isRead && runs.count() < kMostRuns &&
           homeOf(notices[first].block) == home;
         ++first)
      runs.add(notices[first].block, blockAt(notices[first].block).bytes);
    if (home == self)
      continue; // by now
    postRuns(messenger, home, MessageKind::SiteReads, head, runs);
  }
}

void Engine::Impl::onSiteReads(NodeId from, fabric::Bytes body) {
  Lock guard(lock);
  WireReader reader(body);
  SiteReadsHead head;
  OMPDSM_CHECK(reader.get(head));
  while (!reader.atEnd()) {
    WireRun run;
    OMPDSM_CHECK(readRun(reader, run));
    forEachBlock(run.begin, run.bytes, [&](const BlockRef &block) {
      if (homes.homeOf(*block.area, block.begin) != self)
        return; // it may have moved
      WithheldChanges &withheld = histories_.withheld;
      const unsigned shift = block.area->blockShift;
      if (head.isRead)
        withheld.onRead(head.site, block.begin, shift, from);
      else
        withheld.onUnread(head.site, block.begin, shift, from);
    });
  }
}

} // namespace ompdsm
