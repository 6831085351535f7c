// AtomicOperations.cpp: an atomic operation happens in the home's memory: by the calling thread if
// this node is the home, by a message otherwise. What the thread itself wrote there before goes
// first. An operation whose old value nobody wants is a Put: counted, confirmed and ordered as
// those.
#include "protocol/engine/EngineImpl.h"

namespace ompdsm {

void Engine::Impl::atomic(ThreadRegistration *thread, Address address,
                          const AtomicOperation &operation, std::byte *old) {
  alignas(16) std::byte unwanted[16];
  const bool isAnswered = old;
  if (!isAnswered)
    old = unwanted;
  const Area *area = map.find(address);
  if (!area) {
    options.atomicExecutor(reinterpret_cast<void *>(address), operation, old);
    return;
  }
  OMPDSM_CHECK(operation.bytes && operation.bytes <= 16 &&
               address % kLineBytes + operation.bytes <= kLineBytes);
  const bool mayWrite = operation.kind != AtomicOperation::Kind::Load;
  // Under the permission of a thread that flushes wait for, as what it stores itself.
  if (thread && grace.isOnline(*thread) && isOrdinaryAccess(states_.stateAt(address), mayWrite)) {
    options.atomicExecutor(memoryAt(address), operation, old);
    return;
  }
  std::optional<Messenger::Attendance> attendance;
  AtomicWait wait;
  wait.old = old;
  wait.bytes = operation.bytes;
  for (;;) {
    Lock guard(lock);
    BlockRef block = blockAt(address);
    NodeId home = homes.homeOf(*block.area, block.begin);
    const AtomicWay way =
        classifyAtomicCall(homesMayMove_, home == self, stateOf(block), isAnswered,
                           home != self && !isAnswered && mayKeepSum(block, address, operation));
    if (way == AtomicWay::AwaitMoves) {
      waitedForMoves(guard);
      continue;
    }
    if (way == AtomicWay::InPlace) {
      // An ordinary access of the home under its own permission, found at its release.
      StepContext context;
      step(block, classifyMiss(mayWrite, area->untracked), context);
      options.atomicExecutor(memoryAt(address), operation, old);
      return;
    }
    if (way == AtomicWay::AwaitFetch) {
      guard.unlock();
      messenger.waitUntil([&] { return !isFetching(states_.stateAt(block.begin)); });
      continue;
    }
    if (way == AtomicWay::Sum) {
      options.atomicExecutor(atomics_.sums.findOrAdd(address, SumKind::of(operation)), operation,
                             old);
      return keepSums(block);
    }
    if (way == AtomicWay::Put) {
      flushUnderAtomic(block);
      if (putAtomic(block, home, address, operation) && !operation.isExtreme)
        atomics_.reads.onAsked(address, block.begin, block.area->blockShift);
      const bool leaves =
          atomics_.pace.onPosted(messenger.isInHurry(), std::chrono::steady_clock::now);
      guard.unlock();
      if (!leaves)
        return messenger.hurry();
      messenger.flush(home);
      return messenger.waitForRoom(home, MessageKind::AtomicPut);
    }
    if (way == AtomicWay::Ask && !mayWrite && thread && !area->untracked) {
      const AtomicReads::Way reads =
          atomics_.reads.onLoad(address, block.begin, block.area->blockShift,
                                !(missBits(stateOf(block)) & kReadMisses), atomics_.interval);
      if (reads == AtomicReads::Way::Copy)
        return options.atomicExecutor(memoryAt(address), operation, old);
      if (reads == AtomicReads::Way::Fetch) {
        fetchForAtomics(guard, block);
        continue;
      }
    } else {
      atomics_.reads.onAsked(address, block.begin, block.area->blockShift);
    }
    // From before the request leaves: nobody else need be woken for the answer, and a thread that
    // computes there may serve it.
    if (!attendance)
      attendance.emplace(messenger);
    if (way == AtomicWay::FlushThenAsk) {
      const bool wasSummed = stateOf(block) == BlockState::Summed;
      flushUnderAtomic(block);
      if (wasSummed)
        atomics_.sumHistory.onAsked(block.begin, block.area->blockShift);
    }
    AtomicBody body;
    body.ticket = atomics_.nextTicket++;
    body.address = address;
    body.kind = static_cast<std::uint8_t>(operation.kind);
    body.bytes = operation.bytes;
    body.operation = operation.operation;
    std::memcpy(body.operand, operation.operand, sizeof(body.operand));
    std::memcpy(body.desired, operation.desired, sizeof(body.desired));
    atomics_.waits[body.ticket] = &wait;
    requestsInFlight_.fetch_add(1, std::memory_order_relaxed);
    if (options.events)
      options.events->writeAtomic(block.begin, home);
    RequestHead head{completedEpoch_, 0};
    messenger.post(home, MessageKind::Atomic,
                   {std::as_bytes(std::span(&head, 1)), std::as_bytes(std::span(&body, 1))});
    statistics.atomicsRemote.fetch_add(1, std::memory_order_relaxed);
    break;
  }
  messenger.flush();
  messenger.waitUntil([&] { return wait.done.load(std::memory_order_acquire); });
}

/// An atomic operation is no synchronisation point: its own thread may go on storing under a
/// permission.
void Engine::Impl::flushUnderAtomic(const BlockRef &block) {
  if (!isListed(stateOf(block)))
    return;
  postKept();
  putConfirmation_ = Confirmation::Acknowledged;
  OMPDSM_CHECK(flushBlock(block, nullptr) != FlushResult::Postponed);
  postCollected(Confirmation::Acknowledged);
}

/// What the node holds of the block, if anything, may be older than what it knows.
void Engine::Impl::fetchForAtomics(Lock &guard, const BlockRef &block) {
  if (StepContext context; stateOf(block) != BlockState::Invalid)
    step(block, Event::Invalidate, context);
  const std::uint32_t interval = atomics_.interval;
  const unsigned shift = block.area->blockShift;
  const WantedRange range{block.begin, block.bytes, Access::Read};
  guard.unlock();
  ensure({&range, 1}, FetchAhead::No);
  guard.lock();
  atomics_.reads.onFetched(block.begin, shift, interval);
}

/// Whether a copy has it, too.
bool Engine::Impl::putAtomic(const BlockRef &block, NodeId home, Address address,
                             const AtomicOperation &put) {
  AtomicPutBody body;
  body.isKept = options.keepUpdated && keepsUpdated(stateOf(block), block.area->untracked);
  peers_[home].onPutSent(/*wantsAck=*/false, /*tellsOthers=*/true);
  latestPuts_.onPut(block.begin, block.area->blockShift, peers_[home].putsSent.get());
  if (StepContext context; body.isKept) {
    alignas(16) std::byte unwanted[16];
    options.atomicExecutor(memoryAt(address), put, unwanted);
    latestKept_.onPut(block.begin, block.area->blockShift, peers_[home].putsSent.get());
  } else if (stateOf(block) != BlockState::Invalid) {
    step(block, Event::Invalidate, context);
  }
  body.address = address;
  body.bytes = put.bytes;
  body.operation = put.operation;
  std::memcpy(&body.operand, put.operand, sizeof(body.operand));
  body.companion = put.companion();
  if (options.events)
    options.events->writeAtomic(block.begin, home);
  const RequestHead head{completedEpoch_, 0};
  static_assert(joiningOf(MessageKind::AtomicPut).headBytes == sizeof(head) &&
                joiningOf(MessageKind::AtomicPut).thingBytes == sizeof(body));
  messenger.post(home, MessageKind::AtomicPut,
                 {std::as_bytes(std::span(&head, 1)), std::as_bytes(std::span(&body, 1))},
                 fabric::Urgency::WhenSeen);
  statistics.atomicsRemote.fetch_add(1, std::memory_order_relaxed);
  return body.isKept;
}

void Engine::Impl::onAtomicReply(NodeId, fabric::Bytes body) {
  {
    Lock guard(lock);
    WireReader reader(body);
    AtomicReplyBody reply;
    OMPDSM_CHECK(reader.get(reply));
    auto found = atomics_.waits.find(reply.ticket);
    OMPDSM_CHECK(found != atomics_.waits.end());
    AtomicWait *wait = found->second;
    atomics_.waits.erase(found);
    std::memcpy(wait->old, reply.old, wait->bytes);
    wait->done.store(true, std::memory_order_release);
    requestsInFlight_.fetch_sub(1, std::memory_order_release); // pairs with barrier()'s acquire
  }
  messenger.notify();
}

} // namespace ompdsm
