// SumOperations.cpp: threads add to sums (Sums.h), and sums that stay for long leave.
#include "protocol/engine/EngineImpl.h"
#include "protocol/engine/EngineWalks.h"

namespace ompdsm {

namespace {
/// Sums are sent at most so often that this part of the time goes to it, and leave after so long.
constexpr int kSharesOfTime = 32;
constexpr std::chrono::microseconds kLeastStay{20000}, kMostStay{200000}, kPatience{1000};
/// What leaves under one hold of the lock, in blocks.
constexpr unsigned kBlocksPerHold = 64;
} // namespace

void Engine::Impl::settle(Address address, const AtomicOperation &added) {
  for (;;) {
    Lock guard(lock);
    const BlockRef block = blockAt(address);
    const NodeId home = homes.homeOf(*block.area, block.begin);
    const AtomicWay way = classifyAtomicCall(homesMayMove_, home == self, stateOf(block),
                                             /*isAnswered=*/false, /*sums=*/true);
    if (way == AtomicWay::AwaitMoves) {
      waitedForMoves(guard);
      continue;
    }
    if (way == AtomicWay::AwaitFetch) {
      guard.unlock();
      messenger.waitUntil([&] { return !isFetching(states_.stateAt(block.begin)); });
      continue;
    }
    if (way == AtomicWay::Sum) // what is there stays
      return keepSums(block);
    if (way != AtomicWay::InPlace)
      flushUnderAtomic(block);
    // Under the same hold of the lock as it leaves: others' releases may have to send it.
    AtomicOperation taken = added;
    taken.kind = AtomicOperation::Kind::Exchange;
    std::memset(taken.operand, 0, sizeof(taken.operand));
    alignas(16) std::byte sum[16] = {};
    options.atomicExecutor(atomics_.sums.find(address, SumKind::of(added)), taken, sum);
    if (std::all_of(std::begin(sum), std::end(sum), [](std::byte b) { return b == std::byte{}; }))
      return;
    AtomicOperation operation = added;
    std::memcpy(operation.operand, sum, added.bytes);
    if (way != AtomicWay::InPlace) {
      if (putAtomic(block, home, address, operation))
        atomics_.reads.onAsked(address, block.begin, block.area->blockShift);
      guard.unlock();
      return messenger.hurry();
    }
    StepContext context;
    step(block, classifyMiss(/*write=*/true, block.area->untracked), context);
    options.atomicExecutor(memoryAt(address), operation, sum);
    return;
  }
}

bool Engine::Impl::mayKeepSum(const BlockRef &block, Address address,
                              const AtomicOperation &operation) {
  if (!operation.combines || !options.keepSums || !options.sumExecutor || block.area->untracked)
    return false;
  const BlockState state = stateOf(block);
  const bool begins = state == BlockState::Invalid || state == BlockState::Clean;
  return (state == BlockState::Summed ||
          (begins && atomics_.sumHistory.onAdded(block.begin, block.area->blockShift))) &&
         atomics_.sums.findOrAdd(address, SumKind::of(operation));
}

void Engine::Impl::keepSums(const BlockRef &block) {
  if (stateOf(block) == BlockState::Summed)
    return;
  StepContext context;
  step(block, Event::Sum, context);
  postLeaves();
  statistics.blocksSummed.fetch_add(1, std::memory_order_relaxed);
  messenger.remindIn(atomics_.sumsStay);
}

/// Where threads add for long and release nothing: others must see it in the end.
void Engine::Impl::sendSums() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  const auto isSummed = [&](Address block) { return states_.stateAt(block) == BlockState::Summed; };
  std::vector<Address> work;
  Lock guard(lock);
  std::copy_if(blocks_.dirty().begin(), blocks_.dirty().end(), std::back_inserter(work), isSummed);
  std::size_t at = 0;
  for (; at < work.size() && !messenger.isBlocked(); guard.lock()) {
    postKept();
    putConfirmation_ = Confirmation::Acknowledged;
    for (const std::size_t end = std::min(work.size(), at + kBlocksPerHold); at < end; ++at)
      if (isSummed(work[at]))
        OMPDSM_CHECK(flushBlock(blockAt(work[at]), nullptr) == FlushResult::Off);
    postCollected(Confirmation::Acknowledged);
    guard.unlock();
    messenger.flush();
  }
  blocks_.takeOff([&](Address block) { return !isListed(states_.stateAt(block)); });
  atomics_.sumsStay = std::clamp(
      std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin) * kSharesOfTime,
      kLeastStay, kMostStay);
  if (at < work.size())
    messenger.remindIn(kPatience);
}

} // namespace ompdsm
