// Misses.cpp: a thread asks for a permission; the contents arrive.
#include "protocol/engine/EngineImpl.h"

namespace ompdsm {

namespace {
/// A long range is looked at in pieces, each in one area.
constexpr std::size_t kPieceBytes = 256 * 1024;
/// What is asked for together is bounded: no further piece is above either. Bytes, as a home that
/// serves more than fits into its window copies the rest; blocks that are looked at, because the
/// lock is held meanwhile, and their runs have to fit into one message for each home.
constexpr std::size_t kBytesTogether = 256 * 1024, kBlocksTogether = 2048;
/// So many of those one thread has in flight: homes serve one while the next one is on its way.
constexpr std::size_t kAskedAtOnce = 3;
/// Blocks that are opened for writing with one in which a thread has missed.
constexpr unsigned kBlocksOpenedAhead = 8;
/// More ranges than these are asked for as they are, and begin no sequences.
constexpr std::size_t kSequencesTogether = 4;

/// What is asked of a block that has part in the range: overwriting needs all of it.
Access accessTo(const BlockRef &block, const WantedRange &range) {
  const bool inside =
      block.begin >= range.begin && block.begin + block.bytes <= range.begin + range.bytes;
  return storesToAll(range.access) && !inside ? Access::Write : range.access;
}

bool misses(BlockState state, Access access) {
  return missBits(state) & (access == Access::Read ? kReadMisses : kWriteMisses);
}
} // namespace

/// Takes ranges apart, one piece after the other.
class Engine::Impl::RangeWalk {
public:
  explicit RangeWalk(std::span<const WantedRange> ranges) : ranges_(ranges) { skipEmpty(); }
  bool atEnd() const { return ranges_.empty(); }

  /// Null where the walk passes over private memory, which needs nothing. (A range that begins
  /// outside every area and runs into one is an access to two objects, which no program makes, but
  /// it is served all the same.)
  std::optional<WantedPiece> next(const BlockSizes &sizes) {
    const WantedRange &range = ranges_.front();
    const Address at = range.begin + done_, end = range.begin + range.bytes;
    const Area *area = sizes.find(at);
    const Address pieceEnd = area ? sizes.endOfSize(*area, at, std::min(end, at + kPieceBytes))
                                  : std::min(end, sizes.nextBegin(at));
    done_ = pieceEnd - range.begin;
    skipEmpty();
    if (!area)
      return std::nullopt;
    return WantedPiece{&range, area, at, pieceEnd};
  }

private:
  void skipEmpty() {
    while (!ranges_.empty() && done_ >= ranges_.front().bytes) {
      ranges_ = ranges_.subspan(1);
      done_ = 0;
    }
  }

  std::span<const WantedRange> ranges_; ///< The first one is in work.
  std::size_t done_ = 0;                ///< Bytes of it.
};

Event Engine::Impl::classify(const BlockRef &block, BlockState state, Access wanted) const {
  const bool untracked = block.area->untracked;
  if (wanted == Access::Write)
    return classifyWrite(state, untracked, isDense(block));
  return storesToAll(wanted) ? classifyOverwrite(state, untracked, wanted == Access::Rewrite)
                             : classifyMiss(/*write=*/false);
}

bool Engine::Impl::isDense(const BlockRef &block) const {
  return options.openBare && !histories_.opensWithTwins &&
         histories_.densities.expects(block.begin, block.area->blockShift);
}

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

/// What a thread has asked for together.
struct Engine::Impl::Asked {
  MissWaiter waiter;
  std::vector<WantedPiece> pieces; ///< For the trace.
};

void Engine::Impl::ensure(std::span<const WantedRange> ranges, FetchAhead ahead) {
  if (ranges.size() > kSequencesTogether)
    ahead = FetchAhead::No;
  std::array<Asked, kAskedAtOnce> inFlight;
  std::optional<Messenger::Attendance> attendance;
  std::size_t asked = 0, granted = 0;
  for (RangeWalk walk(ranges); !walk.atEnd() || granted != asked;) {
    if (!walk.atEnd() && asked - granted != kAskedAtOnce) {
      asked += askTogether(walk, ahead, inFlight[asked % kAskedAtOnce], attendance);
      continue;
    }
    Asked &first = inFlight[granted++ % kAskedAtOnce];
    awaitGranted(first.waiter);
    if (options.events) {
      Lock guard(lock); // Who was woken in the middle of a step comes after it.
      for (const WantedPiece &piece : first.pieces)
        options.events->writeRange(RecordKind::Granted, piece.begin, piece.end - piece.begin,
                                   piece.range->access != Access::Read);
    }
  }
}

/// False if homes were moving: the thread has waited for that instead.
bool Engine::Impl::askTogether(RangeWalk &walk, FetchAhead ahead, Asked &asked,
                               std::optional<Messenger::Attendance> &attendance) {
  asked.pieces.clear();
  bool asks = false;
  {
    Lock guard(lock);
    if (waitedForMoves(guard))
      return false;
    PieceCost cost;
    while (!walk.atEnd() && cost.bytes < kBytesTogether && cost.blocks < kBlocksTogether)
      if (const std::optional<WantedPiece> piece = walk.next(sizes)) {
        if (options.events)
          asked.pieces.push_back(*piece);
        ask(*piece, ahead, asked.waiter, cost);
      }
    fetches_.endTogether();
    strides_.endTogether();
    // From before the request leaves: nobody else need be woken for the answer.
    if (asked.waiter.remaining.load(std::memory_order_relaxed) != 0 && !attendance)
      attendance.emplace(messenger);
    asks = postGets();
  }
  if (asks) // else what others have posted has time
    messenger.flush();
  return true;
}

void Engine::Impl::awaitGranted(const MissWaiter &waiter) {
  const auto isGranted = [&] { return waiter.remaining.load(std::memory_order_acquire) == 0; };
  if (isGranted())
    return;
  StopWatch watch(statistics.nanosecondsInMisses);
  SiteWatch siteWatch(sites, site(), &SiteCounts::nanosecondsInMisses);
  // Acquire: pairs with WakeWaiters. What arrived is this thread's until its next synchronisation
  // point, even if it has been invalidated again by now.
  messenger.waitUntil(isGranted);
}

void Engine::Impl::ask(const WantedPiece &piece, FetchAhead ahead, MissWaiter &waiter,
                       PieceCost &cost) {
  const Area &area = *piece.area;
  const WantedRange &range = *piece.range;
  const std::uint32_t awaited = waiter.remaining.load(std::memory_order_relaxed);
  bool missed = false;
  BlockRef last;
  AddressRun fetched; ///< From the first block on that is, to the last.
  const auto [first, beyondLast] = withWholePages(area, piece.begin, piece.end);
  for (Address next = first; next < beyondLast; next = last.begin + last.bytes) {
    last = blockAt(area, next);
    ++cost.blocks;
    const bool asked = last.begin + last.bytes > piece.begin && last.begin < piece.end;
    const Access wanted = asked ? accessTo(last, range) : Access::Read;
    if (!misses(stateOf(last), wanted))
      continue;
    missed = true;
    cost.bytes += last.bytes;
    if (stateOf(last) == BlockState::Unread)
      noteWatched(last, /*isRead=*/wanted != Access::Overwrite);
    if (wanted != Access::Overwrite)
      histories_.overwrites.onMiss(last.begin, area.blockShift);
    const bool isAbsent = stateOf(last) == BlockState::Invalid;
    StepContext context;
    context.waiter = &waiter;
    step(last, classify(last, stateOf(last), wanted), context);
    // Else the copy would not last, or is fetched again before it is written.
    if (isAbsent && isFetching(stateOf(last)) && !area.foreign && !area.untracked) {
      fetches_.onFetch(last.begin, area.blockShift);
      histories_.unreadSites.onFetch(last.begin, area.blockShift);
      fetched = {fetched.end ? fetched.begin : last.begin, last.begin + last.bytes};
    }
    if (stateOf(last) == BlockState::Whole)
      makePagesOf(last);
  }
  if (fetched.end)
    strides_.onFetch({piece.begin, piece.end}, fetched);
  if (missed) {
    auto &counter = range.access == Access::Read ? statistics.readMisses : statistics.writeMisses;
    counter.fetch_add(1, std::memory_order_relaxed);
  }
  if (ahead == FetchAhead::Yes && waiter.remaining.load(std::memory_order_relaxed) != awaited)
    fetchAhead(piece, fetched.begin, last, waiter);
  if (missed && range.access == Access::Write && options.prefetchBlocks != 0)
    openAhead(area, last);
  if (options.events)
    options.events->writeRange(RecordKind::Ask, piece.begin, piece.end - piece.begin,
                               range.access != Access::Read);
}

void Engine::Impl::makePagesOf(const BlockRef &overwritten) {
  // With contents, as threads store there next: the kernel's page of zeros would be copied then.
  if (pages)
    pages->supply(overwritten.begin, overwritten.bytes, zeros_.data());
  noteFilled(overwritten.begin, overwritten.bytes);
}

void Engine::Impl::fetchAhead(const WantedPiece &piece, Address missed, BlockRef last,
                              MissWaiter &waiter) {
  const Area &area = *piece.area;
  const bool opens = area.untracked && piece.range->access == Access::Write;
  const auto isAbsent = [&](BlockState state) {
    return opens ? !isHomeState(state) && !isFetching(state) && misses(state, Access::Write)
                 : state == BlockState::Invalid;
  };
  const auto isHere = [&](Address from, Address to) {
    if (from < area.begin)
      return false;
    for (Address at = from; at < to; at += area.blockBytes())
      if (missBits(states_.stateAt(at)) & kReadMisses)
        return false;
    return true;
  };
  Address end = last.begin + last.bytes; // of what is fetched
  auto [blocks, passes] =
      streams_.onMiss(area.blockBegin(piece.begin), missed, options.prefetchBlocks, isHere);
  for (Address next = end;
       sizes.goesOn(area, next) && next - end <= PrefetchStreams::kMostPassed;) {
    if (blocks == 0 && !(next == end && isInsideAbsentPage(next)))
      break;
    const BlockRef block = blockAt(area, next);
    next = block.begin + block.bytes;
    if (!isAbsent(stateOf(block))) {
      if (!passes || (missBits(stateOf(block)) & kReadMisses))
        break;
      continue;
    }
    StepContext context;
    context.waiter = opens ? &waiter : nullptr;
    step(block, opens ? classify(block, stateOf(block), Access::Write) : Event::Prefetch, context);
    strides_.onFetchAhead({block.begin, next});
    end = next;
    blocks -= blocks != 0;
  }
  streams_.onFetched(end);
}

void Engine::Impl::openAhead(const Area &area, BlockRef last) {
  for (unsigned left = area.untracked ? 0 : kBlocksOpenedAhead; left != 0; --left) {
    const Address beyond = last.begin + last.bytes;
    if (!sizes.goesOn(area, beyond) || !histories_.changes.expects(beyond, area.blockShift))
      break;
    last = blockAt(area, beyond);
    if (stateOf(last) != BlockState::Clean && stateOf(last) != BlockState::Shared)
      break;
    StepContext context;
    step(last, classify(last, stateOf(last), Access::Write), context);
  }
}

void Engine::Impl::onData(NodeId from, fabric::Bytes body) {
  {
    Lock guard(lock);
    hasFetched_ = true;
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
        BlockRecord *record = blocks_.find(block.begin, block.area->blockShift);
        OMPDSM_CHECK(record);
        statistics.blocksFetched.fetch_add(1, std::memory_order_relaxed);
        countAt(site(), [](SiteCounts &counts) { ++counts.blocksFetched; });
        StepContext context;
        context.node = from;
        context.data = run.contents ? run.contents + (block.begin - run.begin) : nullptr;
        step(block, classifyArrival(block, *record), context);
      });
    }
  }
  messenger.notify();
}

Event Engine::Impl::classifyArrival(const BlockRef &block, const BlockRecord &record) {
  const bool expected = fetches_.isWatched(block.begin) || strides_.isWatched(block.begin);
  const bool awaited = !record.waiters.empty();
  if (expected && awaited)
    noteWatched(block, /*isRead=*/true);
  else if (expected && sites)
    sites->onWatched(block.begin, site());
  return classifyData(stateOf(block), record.writerWaits, expected && !awaited);
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
