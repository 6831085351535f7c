// Evictions.cpp: copies of other nodes' memory are given up above a limit. By which rules:
// core/Eviction.h; which ones: CachedUnits.h.
//
// Units that are given up wait together, as one batch, until all threads have synchronised since;
// then their pages go, and only then may the next batch begin: what is given up in the middle of
// an interval and used again there is fetched once more for nothing. A thread that synchronises
// seldom delays all this: memory that it may use stays, also if that is more than the limit.
#include "protocol/core/Eviction.h"
#include "protocol/engine/EngineImpl.h"
#include <sys/mman.h>

namespace ompdsm {

namespace {
/// Units that are visited under one hold of the lock.
constexpr std::size_t kUnitsPerHold = 64;
/// After so many that cannot go, because threads may write there or fetches are under way, it is
/// tried again at another time.
constexpr std::size_t kMostInVain = 256;
} // namespace

AddressRun Engine::Impl::pagesOf(const Area &area, Address unit) const {
  const Address begin = (unit + kPageBytes - 1) & ~Address(kPageBytes - 1);
  return {begin, std::max(begin, pageOf(homes.unitEnd(area, unit)))};
}

void Engine::Impl::noteFilled(Address begin, std::size_t bytes) {
  if (options.cacheLimitBytes == 0)
    return;
  for (const Address end = begin + bytes; begin < end;) {
    const Area &area = *sizes.find(begin);
    const Address unit = homes.unitOf(area, begin);
    if (const AddressRun pages = pagesOf(area, unit); pages.begin < pages.end)
      cached_.onFilled(unit, pages.end - pages.begin);
    begin = homes.unitEnd(area, unit);
  }
  noteCached();
}

void Engine::Impl::noteCached() {
  statistics.cachedBytesPeak.store(cached_.peakBytes(), std::memory_order_relaxed);
  cachedTooMuch_.store(cached_.bytes() > options.cacheLimitBytes, std::memory_order_relaxed);
}

void Engine::Impl::makeRoom(ThreadRegistration *synchronised) {
  if (!cachedTooMuch_.load(std::memory_order_relaxed))
    return;
  for (bool first = true, more = true; more; first = false) {
    {
      Lock guard(lock);
      if (first)
        dropPages(synchronised);
      if (homesMayMove_ || (first && !leaving_.empty()))
        return;
      postKept();
      more = giveUpUnits(synchronised);
      if (synchronised)
        grace.syncPoint(synchronised);           // it holds no permission yet
      postCollected(Confirmation::Acknowledged); // it refers to memory
      if (!more)
        dropPages(synchronised);
    }
    messenger.flush();
    for (unsigned n = 0; n < nodes; ++n)
      messenger.waitForRoom(static_cast<NodeId>(n), MessageKind::Leave);
  }
}

bool Engine::Impl::giveUpUnits(ThreadRegistration *synchronised) {
  // Somewhat below the limit, so that not every miss begins a batch of its own.
  const std::size_t wanted = options.cacheLimitBytes - options.cacheLimitBytes / 8;
  const std::size_t most = leaving_.size() + kUnitsPerHold;
  std::vector<Address> kept;
  Address unit;
  putConfirmation_ = Confirmation::Acknowledged;
  while (cached_.bytes() > wanted + leavingBytes_ && leaving_.size() < most &&
         kept.size() < kMostInVain && cached_.takeOldest(unit)) {
    if (!giveUpUnit(unit, synchronised)) {
      kept.push_back(unit);
      continue;
    }
    const AddressRun pages = pagesOf(*sizes.find(unit), unit);
    leaving_.push_back(unit);
    leavingBytes_ += pages.end - pages.begin;
  }
  for (Address each : kept)
    cached_.putBack(each);
  // After the states: who synchronises from now on has seen them.
  leavingStamp_ = grace.stamp();
  return leaving_.size() == most;
}

bool Engine::Impl::giveUpUnit(Address unit, ThreadRegistration *synchronised) {
  const Area &area = *sizes.find(unit);
  const Address end = homes.unitEnd(area, unit);
  bool mayGo = true;
  forEachBlock(unit, end - unit, [&](const BlockRef &block) {
    const BlockState state = stateOf(block);
    // Who misses in the middle of an interval may write himself where the block is open.
    mayGo = mayGo && !isFetching(state) && (synchronised || !isListed(state));
  });
  if (!mayGo)
    return false;
  forEachBlock(unit, end - unit,
               [&](const BlockRef &block) { mayGo = evictBlock(block, synchronised) && mayGo; });
  return mayGo;
}

void Engine::Impl::dropPages(ThreadRegistration *synchronised) {
  if (leaving_.empty() || !grace.isQuiet(leavingStamp_, synchronised))
    return;
  std::sort(leaving_.begin(), leaving_.end());
  AddressRun run;
  for (Address unit : leaving_) {
    const Area &area = *sizes.find(unit);
    bool mayGo = cached_.isTaken(unit);
    forEachBlock(unit, homes.unitEnd(area, unit) - unit,
                 [&](const BlockRef &block) { mayGo = mayGo && mayDrop(stateOf(block), true); });
    if (!mayGo) {
      cached_.putBack(unit);
      continue;
    }
    cached_.erase(unit);
    const AddressRun pages = pagesOf(area, unit);
    if (pages.begin != run.end) {
      dropRun(run);
      run.begin = pages.begin;
    }
    run.end = pages.end;
  }
  dropRun(run);
  leaving_.clear();
  leavingBytes_ = 0;
  noteCached();
}

void Engine::Impl::dropRun(AddressRun run) {
  const std::size_t bytes = run.end - run.begin;
  if (bytes == 0)
    return;
  if (pages)
    pages->withdraw(run.begin, bytes);
  OMPDSM_CHECK(madvise(memoryAt(run.begin), bytes, MADV_DONTNEED) == 0);
  statistics.pagesEvicted.fetch_add(bytes >> kPageShift, std::memory_order_relaxed);
}

} // namespace ompdsm
