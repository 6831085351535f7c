// Orders.cpp: a node that knows by its arrival at a site what it will read behind it the next time
// (StridePrediction.h: other blocks than this time) orders that with its arrival, and the homes
// send it with theirs.
//
// To the home it is a Supply, as of what it has withheld, and to the reader a Refresh
// (Withholding.cpp says what that may do). So the reader waits for nothing but the arrivals, and
// asks for nothing: what has not come, or could not be used, it asks for behind the barrier. It
// stays without a copy meanwhile, and may fetch the blocks as any others: nobody waits for what is
// ordered.
#include "protocol/engine/EngineImpl.h"
#include "protocol/engine/RunMessages.h"
#include <algorithm>

namespace ompdsm {

namespace {
bool mayBeSupplied(const BlockRef &block) {
  return !block.area->foreign && !block.area->untracked && block.bytes <= kMostPushedBytes;
}

constexpr Address roundedUp(Address address) { return pageOf(address + kPageBytes - 1); }

/// Of the runs, which are of blocks and adjacent or not, those parts that fill pages, or what the
/// area has of them.
void keepWholePages(const BlockSizes &sizes, std::vector<DataRun> &runs) {
  std::vector<DataRun> whole;
  for (std::size_t first = 0, beyond; first < runs.size(); first = beyond) {
    for (beyond = first + 1; beyond < runs.size() && runs[beyond - 1].end() == runs[beyond].begin;)
      ++beyond;
    const Address begin = runs[first].begin, end = runs[beyond - 1].end();
    const Address from = begin == sizes.find(begin)->begin ? begin : roundedUp(begin);
    const Address to = end == sizes.find(end - 1)->end ? end : pageOf(end);
    for (std::size_t i = first; i < beyond; ++i) {
      DataRun run = runs[i];
      const Address runEnd = std::min(run.end(), to), cut = std::max(run.begin, from) - run.begin;
      if (run.begin + cut >= runEnd)
        continue;
      run.contents += run.contents ? cut : 0;
      run.begin += cut;
      run.bytes = runEnd - run.begin;
      whole.push_back(run);
    }
  }
  runs.swap(whole);
}
} // namespace

void Engine::Impl::orderNext() {
  if (!options.pushUpdates)
    return;
  std::vector<RunCollector> orders(nodes);
  PieceCost cost;
  strides_.forEachNext([&](AddressRun run) -> std::optional<StridePrediction::Asked> {
    if (const Area *area = sizes.find(run.begin); !area || area->blockBytes() > kMostPushedBytes)
      return std::nullopt;
    return collectRun(run, cost, [&](const BlockRef &block) {
      orders[homes.homeOf(*block.area, block.begin)].add(block.begin, block.bytes);
    });
  });
  const OrderHead head{site(), enteredEpoch_.load(std::memory_order_relaxed) + 1};
  for (unsigned n = 0; n < nodes; ++n)
    if (!orders[n].empty())
      postRuns(messenger, static_cast<NodeId>(n), MessageKind::Order, head, orders[n]);
}

void Engine::Impl::onOrder(NodeId from, fabric::Bytes body) {
  const Lock guard(lock);
  WireReader reader(body);
  OrderHead head;
  OMPDSM_CHECK(reader.get(head));
  for (WireRun run; !reader.atEnd();) {
    OMPDSM_CHECK(readRun(reader, run));
    histories_.ordered.add(head.site, {{run.begin, run.begin + run.bytes}, from, head.epoch});
  }
}

void Engine::Impl::supplyOrdered(ThreadRegistration *thread) {
  std::vector<std::pair<Address, NodeId>> wanted;
  for (const OrderedRuns::Order &order :
       histories_.ordered.takeAt(site(), enteredEpoch_.load(std::memory_order_relaxed) + 1))
    for (Address at = order.run.begin; at < order.run.end;) {
      const Area *const area = sizes.find(at); // whose blocks may have another size by now
      if (!area)
        break;
      wanted.emplace_back(area->blockBegin(at), order.node);
      at = area->blockEnd(at);
    }
  // Copies that end now, maybe of the same blocks, end before.
  const auto isTold = [&](const auto &one) { return !invalidateRuns_[one.second].empty(); };
  if (std::any_of(wanted.begin(), wanted.end(), isTold))
    postCollected(Confirmation::Counted);
  // What several nodes get is alike, so that it goes to them by a tree.
  std::sort(wanted.begin(), wanted.end());
  for (const auto &[address, node] : wanted)
    if (const BlockRef block = blockAt(address); mayBeSupplied(block))
      (void)supply(block, node, thread);
}

void Engine::Impl::supplyRefreshedPages(std::uint32_t putsProcessed) {
  const auto isRefreshed = [](const PutLine &line) {
    return line.whole && line.why == WholeBlock::Refreshed;
  };
  dataRuns_.clear();
  forEachChanged(putLines_, [&](const BlockRef &block, std::span<const PutLine> lines) {
    const PutLine &first = lines.front();
    if (!isRefreshed(first) || stateOf(block) != BlockState::Invalid ||
        !pages->isAbsent(block.begin) ||
        latestPuts_.hasCrossed(block.begin, block.area->blockShift, putsProcessed))
      return;
    const DataRun *const last = dataRuns_.empty() ? nullptr : &dataRuns_.back();
    const std::byte *const next = last && last->contents ? last->contents + last->bytes : nullptr;
    if (last && last->end() == block.begin && next == first.packed)
      dataRuns_.back().bytes += block.bytes; // so that its pages are made at once
    else
      dataRuns_.push_back({block.begin, block.bytes, first.packed});
  });
  // The others stay absent, as code without checks must fault there.
  keepWholePages(sizes, dataRuns_);
  supplyPages();
}

} // namespace ompdsm
