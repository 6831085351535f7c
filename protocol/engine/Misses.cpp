// Misses.cpp: a thread asks for a permission; the contents arrive.
#include "protocol/engine/EngineImpl.h"

namespace ompdsm {

namespace {
/// A long range is asked for in pieces, so that what is in flight for one thread is bounded.
constexpr std::size_t kPieceBytes = 256 * 1024;

/// What is asked of a block that has part in [begin, end): overwriting needs all of it.
Access accessTo(const BlockRef &block, Address begin, Address end, Access access) {
  const bool inside = block.begin >= begin && block.begin + block.bytes <= end;
  return access == Access::Overwrite && !inside ? Access::Write : access;
}

Event classify(const BlockRef &block, BlockState state, Access wanted) {
  const bool untracked = block.area->untracked;
  return wanted == Access::Overwrite ? classifyOverwrite(state, untracked)
                                     : classifyMiss(wanted == Access::Write, untracked);
}

bool misses(BlockState state, Access access) {
  return missBits(state) & (access == Access::Read ? kReadMisses : kWriteMisses);
}
} // namespace

bool Engine::Impl::isInsideAbsentPage(Address address) const {
  return address % kPageBytes != 0 && pages && pages->isAbsent(address);
}

std::pair<Address, Address> Engine::Impl::withWholePages(const Area &area, Address begin,
                                                         Address end) const {
  if (isInsideAbsentPage(begin))
    begin = std::max(area.begin, pageOf(begin));
  if (isInsideAbsentPage(end))
    end = std::min(area.end, pageOf(end) + kPageBytes);
  return {begin, end};
}

void Engine::Impl::ensure(Address address, std::size_t bytes, Access access, FetchAhead ahead) {
  StopWatch watch(statistics.nanosecondsInMisses);
  for (Address at = address, end = address + bytes; at < end;) {
    const Area *area = map.find(at);
    if (!area) {
      // Private memory needs nothing. A range that begins outside every area and runs into one is
      // an access to two objects, which no program makes, but it is served all the same.
      at = map.nextBegin(at);
      continue;
    }
    Address pieceEnd = std::min({end, area->end, at + kPieceBytes});
    MissWaiter waiter;
    {
      Lock guard(lock);
      if (waitedForMoves(guard))
        continue;
      bool missed = false;
      BlockRef last;
      const auto [first, beyondLast] = withWholePages(*area, at, pieceEnd);
      for (Address next = first; next < beyondLast; next = last.begin + last.bytes) {
        last = blockAt(*area, next);
        const bool asked = last.begin + last.bytes > at && last.begin < pieceEnd;
        const Access wanted = asked ? accessTo(last, address, end, access) : Access::Read;
        if (!misses(stateOf(last), wanted))
          continue;
        missed = true;
        StepContext context;
        context.waiter = &waiter;
        step(last, classify(last, stateOf(last), wanted), context);
        if (stateOf(last) == BlockState::Whole)
          makePagesOf(last);
      }
      if (missed) {
        auto &counter = access == Access::Read ? statistics.readMisses : statistics.writeMisses;
        counter.fetch_add(1, std::memory_order_relaxed);
      }
      if (ahead == FetchAhead::Yes && waiter.remaining.load(std::memory_order_relaxed))
        fetchAhead(*area, area->blockBegin(at), last);
      if (options.events)
        options.events->writeRange(RecordKind::Ask, at, pieceEnd - at, access != Access::Read);
      postGets();
    }
    messenger.flush();
    // Acquire: pairs with WakeWaiters. What arrived is this thread's until its next synchronisation
    // point, even if it has been invalidated again by now.
    messenger.waitUntil([&] { return waiter.remaining.load(std::memory_order_acquire) == 0; });
    if (options.events) {
      Lock guard(lock); // Who was woken in the middle of a step comes after it.
      options.events->writeRange(RecordKind::Granted, at, pieceEnd - at, access != Access::Read);
    }
    at = pieceEnd;
  }
}

void Engine::Impl::makePagesOf(const BlockRef &overwritten) {
  if (pages)
    pages->supply(overwritten.begin, overwritten.bytes, nullptr);
  noteFilled(overwritten.begin, overwritten.bytes);
}

void Engine::Impl::fetchAhead(const Area &area, Address missed, BlockRef last) {
  for (unsigned blocks = streams_.onMiss(missed, options.prefetchBlocks);; blocks -= blocks != 0) {
    const Address beyond = last.begin + last.bytes;
    if (beyond >= area.end || (!blocks && !isInsideAbsentPage(beyond)))
      break;
    const BlockRef block = blockAt(area, beyond);
    if (stateOf(block) != BlockState::Invalid)
      break;
    StepContext context;
    step(block, Event::Prefetch, context);
    last = block;
  }
  streams_.onFetched(last.begin + last.bytes);
}

void Engine::Impl::onData(NodeId from, fabric::Bytes body) {
  {
    Lock guard(lock);
    dataRuns_.clear();
    for (WireReader reader(body); !reader.atEnd();)
      OMPDSM_CHECK(readDataRun(reader, dataRuns_.emplace_back()));
    if (pages)
      supplyPages();
    for (const DataRun &run : dataRuns_) {
      statistics.bytesFetched.fetch_add(run.contents ? run.bytes : 0, std::memory_order_relaxed);
      noteFilled(run.begin, run.bytes);
      forEachBlock(run.begin, run.bytes, [&](const BlockRef &block) {
        OMPDSM_CHECK(block.begin + block.bytes <= run.end());
        BlockRecord *record = blocks_.find(block.begin);
        OMPDSM_CHECK(record);
        statistics.blocksFetched.fetch_add(1, std::memory_order_relaxed);
        StepContext context;
        context.node = from;
        context.data = run.contents ? run.contents + (block.begin - run.begin) : nullptr;
        step(block, classifyData(record->writerWaits), context);
      });
    }
  }
  messenger.notify();
}

void Engine::Impl::supplyPages() {
  for (std::size_t i = 1; i < dataRuns_.size(); ++i) {
    const DataRun &run = dataRuns_[i];
    if (dataRuns_[i - 1].end() == run.begin && pages->isAbsent(run.begin))
      supplyMixedPage(pageOf(run.begin), i - 1);
  }
  for (const DataRun &run : dataRuns_)
    pages->supply(run.begin, run.bytes, run.contents);
}

void Engine::Impl::supplyMixedPage(Address page, std::size_t first) {
  std::byte mixed[kPageBytes]{};
  const Address begin = std::max(page, dataRuns_[first].begin), pageEnd = page + kPageBytes;
  Address end = begin;
  for (std::size_t i = first; i < dataRuns_.size() && end < pageEnd; ++i) {
    const DataRun &run = dataRuns_[i];
    if (i != first && run.begin != end)
      break;
    const Address from = std::max(run.begin, page), to = std::min(run.end(), pageEnd);
    if (run.contents && from < to)
      std::memcpy(mixed + (from - page), run.contents + (from - run.begin), to - from);
    end = to;
  }
  pages->supply(begin, end - begin, mixed + (begin - page));
}

} // namespace ompdsm
