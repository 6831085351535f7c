// Step.cpp: one step of one block: looks the transition up and does what its actions say.
#include "protocol/engine/EngineImpl.h"

namespace ompdsm {

void Engine::Impl::step(const BlockRef &block, Event event, StepContext &context) {
  BlockState before = stateOf(block);
  const Transition &transition = lookUp(before, event);
  OMPDSM_CHECK(transition.possible);
  BlockState next = transition.next;
  // A permission is taken before anything is derived from the contents, and given after they are there.
  bool takes = missBits(next) & ~missBits(before);
  Address end = block.begin + block.bytes;
  if (block.area->untracked && !isHomeState(next)) {
    if (block.area->foreign && next != before &&
        (next == BlockState::Clean || next == BlockState::Closing)) {
      foreignCopies_.push_back(block.begin);
      foreignCopyCount_.store(foreignCopies_.size(), std::memory_order_relaxed);
    }
    // After the list: an acquire that sees that nothing is being fetched sees what is to be dropped.
    untrackedDirty_ += unsigned(next == BlockState::Dirty) - unsigned(before == BlockState::Dirty);
    untrackedFetching_ += unsigned(isFetching(next)) - unsigned(isFetching(before));
  }
  if (takes)
    states_.set(block.begin, end, next);
  for (Action action : transition.actions)
    if (action != Action::None)
      perform(action, block, context);
  if (!takes && next != before)
    states_.set(block.begin, end, next);

  if (BlockRecord *record = blocks_.find(block.begin);
      record && !record->twin && !isFetching(next) && record->sharers.empty() && !record->listed)
    blocks_.erase(block.begin);
}

void Engine::Impl::perform(Action action, const BlockRef &block, StepContext &context) {
  BlockRecord &record = blocks_.findOrAdd(block.begin);
  switch (action) {
  case Action::None:
    return;
  case Action::RequestData:
    getRuns_[homes.homeOf(*block.area, block.begin)].add(block.begin, block.bytes);
    requestsInFlight_.fetch_add(1, std::memory_order_relaxed);
    return;
  case Action::AwaitDataForWrite:
    record.writerWaits = true;
    [[fallthrough]];
  case Action::AwaitData:
    context.waiter->remaining.fetch_add(1, std::memory_order_relaxed);
    record.waiters.push_back(context.waiter);
    return;
  case Action::ApplyData:
    overwrite(memoryOf(block), context.data, block.bytes);
    return;
  case Action::MergeData:
    mergeUnderWriters(memoryOf(block), record.twin, context.data, block.bytes);
    return;
  case Action::WakeWaiters:
    for (MissWaiter *waiter : record.waiters)
      waiter->remaining.fetch_sub(1, std::memory_order_release); // pairs with the waiter's acquire
    record.waiters.clear();
    record.writerWaits = false;
    requestsInFlight_.fetch_sub(1, std::memory_order_release); // pairs with barrier()'s acquire
    return;
  case Action::MakeTwin:
    OMPDSM_CHECK(!record.twin);
    record.twin = blocks_.twins().acquire(block.area->blockShift);
    snapshot(record.twin, memoryOf(block), block.bytes);
    record.distrusted = false;
    blocks_.enlist(block.begin, record);
    statistics.twins.fetch_add(1, std::memory_order_relaxed);
    return;
  case Action::DistrustTwin:
    record.distrusted = true;
    return;
  case Action::RenewTwin:
    std::memcpy(record.twin, context.snapshot, block.bytes);
    return;
  case Action::DropTwin:
    blocks_.twins().release(std::exchange(record.twin, nullptr), block.area->blockShift);
    record.distrusted = false;
    record.listed = false; // flushBlock has taken it off the list and does not put it back
    return;
  case Action::StampGrace:
    record.graceStamp = grace.stamp();
    return;
  case Action::SendPut:
    sendChanges(block, context);
    return;
  case Action::Postpone:
    context.postponed = true;
    return;
  case Action::AddSharer:
    record.sharers.insert(context.node);
    return;
  case Action::SendTwin:
    std::memcpy(appendData(block, context.node), record.twin, block.bytes);
    return;
  case Action::SendMemory: {
    std::byte *sent = appendData(block, context.node);
    snapshot(sent, memoryOf(block), block.bytes);
    context.data = sent; // for NoteServed
    return;
  }
  case Action::NoteServed:
    record.distrusted |= std::memcmp(context.data, record.twin, block.bytes) != 0;
    return;
  case Action::ApplyPut:
    applyPut(block, context);
    return;
  case Action::ExecuteAtomic:
    executeAtomic(block, context);
    return;
  case Action::InvalidateOthers:
    invalidate(block, &context.node);
    return;
  case Action::InvalidateAll:
    invalidate(block, nullptr);
    record.distrusted = false;
    return;
  }
}

void Engine::Impl::sendChanges(const BlockRef &block, const StepContext &context) {
  NodeId home = homes.homeOf(*block.area, block.begin);
  for (std::size_t line = 0; line < block.bytes / kLineBytes; ++line) {
    LineMask mask = context.masks[line];
    if (!mask)
      continue;
    if (!puts_[home].hasRoom(Messenger::kMaxBodyBytes))
      postPut(home, putConfirmation_);
    puts_[home].addLine(block.begin + line * kLineBytes, mask, context.snapshot + line * kLineBytes);
  }
}

void Engine::Impl::applyPut(const BlockRef &block, const StepContext &context) {
  BlockRecord &record = blocks_.findOrAdd(block.begin);
  for (const PutLine &put : context.lines) {
    unpackMasked(memoryAt(put.line), put.packed, put.mask);
    if (record.twin)
      unpackMasked(record.twin + (put.line - block.begin), put.packed, put.mask);
  }
}

void Engine::Impl::executeAtomic(const BlockRef &block, const StepContext &context) {
  const AtomicOperation &operation = *context.atomic;
  options.atomicExecutor(memoryAt(context.atomicAddress), operation, context.atomicOld);
  BlockRecord &record = blocks_.findOrAdd(block.begin);
  if (!record.twin || operation.kind == AtomicOperation::Kind::Load)
    return;
  // The twin takes the value that this operation produced, even if a home thread has changed it
  // again meanwhile: that change is the home's own and is found at its release.
  alignas(16) std::byte result[16], ignored[16];
  std::memcpy(result, context.atomicOld, operation.bytes);
  options.atomicExecutor(result, operation, ignored);
  std::memcpy(record.twin + (context.atomicAddress - block.begin), result, operation.bytes);
}

void Engine::Impl::invalidate(const BlockRef &block, const NodeId *except) {
  BlockRecord &record = blocks_.findOrAdd(block.begin);
  bool keep = except && record.sharers.contains(*except);
  record.sharers.forEach([&](NodeId sharer) {
    if (except && sharer == *except)
      return;
    invalidateRuns_[sharer].add(block.begin, block.bytes);
    statistics.invalidations.fetch_add(1, std::memory_order_relaxed);
  });
  record.sharers.clear();
  if (keep)
    record.sharers.insert(*except);
}

std::byte *Engine::Impl::appendData(const BlockRef &block, NodeId to) {
  // The blocks of a page that somebody fetches whole arrive in one message.
  const std::size_t wanted =
      block.begin % kPageBytes == 0 ? std::max<std::size_t>(block.bytes, kPageBytes) : block.bytes;
  if (!data_[to].hasRoom(wanted, Messenger::kMaxBodyBytes))
    postData(to);
  return data_[to].addBlock(block.begin, block.bytes);
}

void Engine::Impl::postCollected(Confirmation confirmation) {
  for (unsigned n = 0; n < nodes; ++n) {
    NodeId node = static_cast<NodeId>(n);
    if (!data_[n].empty())
      postData(node);
    if (!invalidateRuns_[n].empty())
      postInvalidates(node, confirmation);
    if (!puts_[n].empty())
      postPut(node, confirmation);
  }
  postGets();
}

void Engine::Impl::postGets() {
  for (unsigned n = 0; n < nodes; ++n) {
    if (getRuns_[n].empty())
      continue;
    WireWriter writer(getRuns_[n].count() * kWireRunBytes);
    getRuns_[n].writeTo(writer);
    RequestHead head{completedEpoch_, 0};
    messenger.post(static_cast<NodeId>(n), MessageKind::Get,
                   {std::as_bytes(std::span(&head, 1)), writer.bytes()});
    getRuns_[n].clear();
  }
}

void Engine::Impl::postPut(NodeId home, Confirmation confirmation) {
  bool ack = confirmation == Confirmation::Acknowledged;
  Peer &peer = peers_[home];
  peer.putsSent.fetch_add(1, std::memory_order_relaxed);
  peer.acksWanted.fetch_add(ack, std::memory_order_relaxed);
  messenger.post(home, MessageKind::Put, {puts_[home].finish({completedEpoch_, ack})});
  puts_[home].clear();
}

void Engine::Impl::postData(NodeId to) {
  messenger.post(to, MessageKind::Data, {data_[to].bytes()});
  data_[to].clear();
}

void Engine::Impl::postInvalidates(NodeId sharer, Confirmation confirmation) {
  bool ack = confirmation == Confirmation::Acknowledged;
  Peer &peer = peers_[sharer];
  WireWriter writer(invalidateRuns_[sharer].count() * kWireRunBytes);
  invalidateRuns_[sharer].writeTo(writer);
  invalidateRuns_[sharer].clear();
  InvalidateHead head{ack};
  constexpr std::size_t kPiece = 4096 * kWireRunBytes;
  fabric::Bytes runs = writer.bytes();
  do {
    fabric::Bytes piece = runs.first(std::min(runs.size(), kPiece));
    runs = runs.subspan(piece.size());
    std::uint64_t sent = peer.invalidatesSent.fetch_add(1, std::memory_order_relaxed) + 1;
    if (ack)
      peer.invalidatesAsked.store(sent, std::memory_order_relaxed);
    messenger.post(sharer, MessageKind::Invalidate, {std::as_bytes(std::span(&head, 1)), piece});
  } while (!runs.empty());
}

} // namespace ompdsm
