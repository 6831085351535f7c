// Expectations.cpp: a node asks for what it is expected to read behind the site that it comes to
// (FetchPrediction.h, StridePrediction.h), and homes serve that when they leave the barrier there.
//
// A node that arrives at a barrier asks with its arrival: the message waits at the home until that
// leaves, so the contents are on their way when the node does, without a round trip and a wake. It
// cannot promise then that it asks nothing, so no home would ever move; therefore all nodes wait
// with it in some barriers, and after homes have moved, and ask when they have left.
#include "protocol/engine/EngineImpl.h"
#include "protocol/engine/EpochChoice.h"

namespace ompdsm {

namespace {
/// One of so many fetches of what is expected is watched, and one of so many intervals believes
/// that what was expected in vain will be read.
constexpr unsigned kWatchedOneIn = 8, kBelievedAgainOneIn = 32;
/// In one of so many barriers homes may move whatever nodes expect to read behind it, and in so
/// many after some have moved.
constexpr std::uint32_t kMovesOneIn = 8, kMovesInARow = 8;

/// Whether homes may move in that barrier; the same on all nodes, and not in step with the program.
bool isForMoves(std::uint32_t epoch, std::uint32_t lastMove) {
  return epoch - lastMove <= kMovesInARow || isChosen(epoch, EpochChoice::Moves, kMovesOneIn);
}
} // namespace

void Engine::Impl::fetchExpected(bool isBegin) {
  if (!options.predictFetches)
    return;
  {
    Lock guard(lock);
    if (!std::exchange(hasComeToExpected_, false))
      comeToExpected(isBegin);
    if (!collectExpected(/*last=*/true))
      return;
    postGets();
  }
  messenger.flush();
}

void Engine::Impl::askBehindBarrier(ThreadRegistration *thread) {
  const std::uint32_t epoch = enteredEpoch_.load(std::memory_order_relaxed) + 1;
  if (!options.predictFetches || !grace.othersOffline(thread))
    return;
  hasComeToExpected_ = true;
  comeToExpected(/*isBegin=*/false);
  orderNext();
  if (history_.isKept() && isForMoves(epoch, lastMoveEpoch_))
    return;
  if (!collectExpected(/*last=*/false)) // what becomes stale in this barrier is asked for behind it
    return;
  for (unsigned n = 0; n < nodes; ++n)
    if (RunCollector &runs = getRuns_[n]; !runs.empty()) {
      WireWriter writer(runs.count() * kWireRunBytes);
      runs.writeTo(writer);
      messenger.post(static_cast<NodeId>(n), MessageKind::GetBehind,
                     {std::as_bytes(std::span(&epoch, 1)), writer.bytes()},
                     fabric::Urgency::WhenWaiting);
      runs.clear();
    }
}

void Engine::Impl::comeToExpected(bool isBegin) {
  fetches_.comeTo(site(), isOneIn(kBelievedAgainOneIn));
  watchesExpected_ = isOneIn(kWatchedOneIn);
  statistics.expectedUnread.fetch_add(isBegin ? strides_.comeToBegin(site(), watchesExpected_)
                                              : strides_.comeTo(site(), watchesExpected_),
                                      std::memory_order_relaxed);
}

bool Engine::Impl::collectExpected(bool last) {
  PieceCost cost;
  fetches_.forEachExpected(last, [&](Address address, bool isNew) {
    return collectExpected(address, isNew || watchesExpected_, cost);
  });
  strides_.forEachExpected(last, [&](AddressRun run) { return prefetchRun(run, cost); });
  return cost.bytes != 0;
}

FetchPrediction::Found Engine::Impl::collectExpected(Address address, bool watched,
                                                     PieceCost &cost) {
  // Most are here: their state alone is looked at.
  const BlockState state = states_.stateAt(address);
  if (isFetching(state))
    return FetchPrediction::Found::Asked;
  if (state != BlockState::Invalid)
    return FetchPrediction::Found::Here;
  if (histories_.unreadSites.isTold(address, sizes.find(address)->blockShift))
    return FetchPrediction::Found::Here; // comes unasked
  if ((pages && pages->isAbsent(address)) || !prefetchRun({address, address + 1}, cost))
    return FetchPrediction::Found::Here;
  if (watched)
    fetches_.watch(address);
  return FetchPrediction::Found::Asked;
}

std::optional<StridePrediction::Asked> Engine::Impl::prefetchRun(AddressRun run, PieceCost &cost) {
  return collectRun(run, cost, [&](const BlockRef &block) {
    StepContext context;
    step(block, Event::Prefetch, context);
    statistics.blocksExpected.fetch_add(1, std::memory_order_relaxed);
    countAt(site(), [](SiteCounts &counts) { ++counts.blocksExpected; });
  });
}

void Engine::Impl::onGetBehind(NodeId from, fabric::Bytes body) {
  {
    Lock guard(lock);
    asksBehind_.push_back({from, MessageKind::GetBehind, {body.begin(), body.end()}});
    serveBehindBarrier(); // if this node has left it before
  }
  messenger.notify();
}

bool Engine::Impl::serveBehindBarrier() {
  std::vector<std::pair<BlockRef, NodeId>> wanted;
  std::size_t asking = 0;
  std::erase_if(asksBehind_, [&](const HeldRequest &ask) {
    WireReader reader(ask.body);
    std::uint32_t epoch = 0;
    OMPDSM_CHECK(reader.get(epoch));
    if (epoch > completedEpoch_.load(std::memory_order_relaxed))
      return false;
    ++asking;
    forEachAsked(reader, [&](const BlockRef &block) { wanted.emplace_back(block, ask.from); });
    return true;
  });
  if (asking == 0)
    return false;
  if (multicasts_ && asking > 2) // else what each uses first goes first
    std::sort(wanted.begin(), wanted.end(), [](const auto &a, const auto &b) {
      return a.first.begin < b.first.begin; // so that what several get is alike
    });
  // Nobody waits for it yet: a thread that does will look.
  dataUrgency_ = fabric::Urgency::WhenWaiting;
  postKept();
  for (const auto &[block, from] : wanted)
    serveGet(block, from, /*isBehindLeft=*/false);
  postCollected(Confirmation::Counted);
  dataUrgency_ = fabric::Urgency::Now;
  return true;
}

void Engine::Impl::noteWatched(const BlockRef &block, bool isRead) {
  if (sites)
    sites->onOutcome(block.begin, isRead);
  if (isRead) {
    strides_.onRead(block.begin);
    histories_.unreadSites.onRead(block.begin, block.area->blockShift);
  }
  if (fetches_.onOutcome(block.begin, block.area->blockShift, isRead))
    statistics.expectedUnread.fetch_add(1, std::memory_order_relaxed);
}

} // namespace ompdsm
