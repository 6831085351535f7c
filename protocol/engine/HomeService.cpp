// HomeService.cpp: what a node does for others: serves its blocks as their home, drops its copies
// when a home says so, and keeps count of what is confirmed.
//
// Invalidate and Update messages to a node are numbered; the node answers "I have processed the
// first k" when asked. A Put is acknowledged only when everything sent before it to anybody is
// confirmed: that covers the invalidations it caused itself and earlier ones of the same block
// (traps 6 and 7).
#include "protocol/core/BarrierRules.h"
#include "protocol/engine/EngineImpl.h"
#include <array>
#include <bit>
#include <sys/mman.h>

namespace ompdsm {

namespace {
/// A block is at most as large, or the unit is a page.
constexpr std::size_t kMostPagesOfUnit = (std::size_t(1) << 16) / kPageBytes;
/// Of invalidated blocks, for one node; changes are as many as fit into a message.
constexpr std::size_t kMostRunsKept = 4096;
} // namespace

void Engine::Impl::onRequest(NodeId from, MessageKind kind, fabric::Bytes body) {
  {
    Lock guard(lock);
    WireReader reader(body);
    RequestHead head;
    OMPDSM_CHECK(reader.get(head));
    if (head.epoch > completedEpoch_.load(std::memory_order_relaxed))
      peers_[from].onLeftBefore();
    const bool reads = kind != MessageKind::Put && kind != MessageKind::Leave;
    const bool othersWait = std::any_of(held_.begin(), held_.end(),
                                        [&](const HeldRequest &held) { return held.from == from; });
    if (mustHoldRequest(head.epoch, completedEpoch_.load(), reads, isDone_, othersWait)) {
      held_.push_back({from, kind, {body.begin(), body.end()}});
      // Before, Puts for which the barrier waits are still to come. What waits then is what threads
      // wait for, and they fetch so much at once.
      if (isDone_)
        messenger.holdRequests(true);
      return;
    }
    serveRequest(from, kind, head, reader);
  }
  messenger.notify();
}

void Engine::Impl::serveRequest(NodeId from, MessageKind kind, const RequestHead &head,
                                WireReader &reader) {
  // Nobody needs what comes of a barrier's Puts before this node is done there, and each other node
  // puts something where all write to the same blocks: what a node is told of all leaves together.
  const bool waits = kind == MessageKind::Put && head.ofBarrier && messenger.joinsMessages();
  if (!waits)
    postKept();
  switch (kind) {
  case MessageKind::Get:
    forEachAsked(reader, [&](const BlockRef &block) {
      serveGet(block, from, head.epoch == completedEpoch_.load(std::memory_order_relaxed));
    });
    break;
  case MessageKind::Put:
    servePut(from, head, reader);
    break;
  case MessageKind::Leave:
    serveLeave(from, reader);
    break;
  case MessageKind::AtomicPut:
    serveAtomicPuts(from, head, reader);
    break;
  case MessageKind::Sums:
    serveSums(from, head, reader);
    break;
  default:
    serveAtomic(from, head, reader);
    break;
  }
  hasKept_ = waits && !hasMuchCollected();
  if (!hasKept_)
    postCollected(Confirmation::Counted);
}

bool Engine::Impl::hasMuchCollected() const {
  return std::any_of(invalidateRuns_.begin(), invalidateRuns_.end(),
                     [](const RunCollector &runs) { return runs.count() > kMostRunsKept; });
}

void Engine::Impl::serveGet(const BlockRef &block, NodeId from, bool isBehindLeft) {
  noteFirstUse(block);
  histories_.withheld.onFetched(block.begin, block.area->blockShift, from, isBehindLeft);
  stepGet(block, from);
}

void Engine::Impl::serveLeave(NodeId from, WireReader &reader) {
  forEachAsked(reader, [&](const BlockRef &block) {
    prediction_.doubt(block.begin, block.area->blockShift, from);
    histories_.withheld.onLeft(block.begin, block.area->blockShift, from);
    stepLeave(block, from);
  });
  peers_[from].putsProcessed.add(1);
}

void Engine::Impl::servePut(NodeId from, const RequestHead &head, WireReader &reader) {
  OMPDSM_CHECK(readPutLines(reader, putLines_));
  forEachChanged(putLines_, [&](const BlockRef &block, std::span<const PutLine> lines) {
    OMPDSM_CHECK(homes.homeOf(*block.area, block.begin) == self);
    const bool whole = lines.front().whole;
    const bool away = whole && lines.front().why == WholeBlock::Away;
    if (!away) // that has been used before
      noteFirstUse(block);
    StepContext context;
    context.node = from;
    context.lines = lines;
    context.ofBarrier = head.ofBarrier;
    context.mayBeSole = head.ofBarrier && head.isTold;
    if (head.ofBarrier && head.epoch + 1 == enteredEpoch_.load(std::memory_order_relaxed))
      context.site = site();
    if (whole) { // whoever overwrites becomes a sharer without having read
      prediction_.forget(block.begin, block.area->blockShift, from);
      histories_.withheld.onFetched(block.begin, block.area->blockShift, from, false);
    }
    if (sizing_.isWatching())
      noteChangedLines(block, from, lines);
    histories_.densities.onPut(block.begin, block.area->blockShift);
    step(block, classifyPut(whole, away), context);
    // What this node then stores there goes unseen: who sends it away is not the only writer.
    noteWriter(block, away ? kUnitStays : from, head.epoch > completedEpoch_);
    if (head.ofBarrier)
      noteChange(block, from);
  });
  peers_[from].putsProcessed.add(1);
  if (head.wantsAck)
    answerWhenConfirmed(from, MessageKind::PutAck, {});
}

void Engine::Impl::serveAtomic(NodeId from, const RequestHead &head, WireReader &reader) {
  AtomicBody body;
  OMPDSM_CHECK(reader.get(body) && body.bytes <= sizeof(body.operand));
  AtomicOperation operation;
  operation.kind = static_cast<AtomicOperation::Kind>(body.kind);
  operation.bytes = body.bytes;
  operation.operation = body.operation;
  std::memcpy(operation.operand, body.operand, sizeof(body.operand));
  std::memcpy(operation.desired, body.desired, sizeof(body.desired));
  AtomicReplyBody reply;
  reply.ticket = body.ticket;
  executeFor(from, head, body.address, operation, reply.old, /*isKept=*/false);
  answerWhenConfirmed(from, MessageKind::AtomicReply, reply);
}

void Engine::Impl::serveAtomicPuts(NodeId from, const RequestHead &head, WireReader &reader) {
  unsigned count = 0;
  do {
    AtomicPutBody body;
    OMPDSM_CHECK(reader.get(body) && body.bytes <= sizeof(body.operand));
    AtomicOperation operation;
    operation.kind = AtomicOperation::Kind::ReadModifyWrite;
    operation.bytes = body.bytes;
    operation.operation = body.operation;
    std::memcpy(operation.operand, &body.operand, sizeof(body.operand));
    operation.setCompanion(body.companion);
    alignas(16) std::byte unwanted[16];
    executeFor(from, head, body.address, operation, unwanted, body.isKept);
    ++count;
  } while (!reader.atEnd());
  peers_[from].putsProcessed.add(count);
}

void Engine::Impl::serveSums(NodeId from, const RequestHead &head, WireReader &reader) {
  AtomicOperation operation;
  operation.kind = AtomicOperation::Kind::ReadModifyWrite;
  operation.bytes = head.numberBytes;
  operation.operation = head.operation;
  OMPDSM_CHECK(std::has_single_bit(unsigned(operation.bytes)) && operation.bytes <= 8 &&
               readPutLines(reader, putLines_));
  forEachChanged(putLines_, [&](const BlockRef &block, std::span<const PutLine> lines) {
    OMPDSM_CHECK(homes.homeOf(*block.area, block.begin) == self && !lines.front().whole);
    StepContext context;
    context.node = from;
    context.lines = lines;
    context.atomic = &operation;
    step(block, classifyAtomic(/*mayWrite=*/true), context);
    noteWriter(block, from, head.epoch > completedEpoch_);
  });
  peers_[from].putsProcessed.add(1);
}

void Engine::Impl::executeFor(NodeId from, const RequestHead &head, Address address,
                              const AtomicOperation &operation, std::byte *old, bool isKept) {
  const Area *area = sizes.find(address);
  OMPDSM_CHECK(area && address % kLineBytes + operation.bytes <= kLineBytes);
  BlockRef block = blockAt(*area, address);
  OMPDSM_CHECK(homes.homeOf(*area, block.begin) == self);
  StepContext context;
  context.node = from;
  context.atomic = &operation;
  context.atomicAddress = address;
  context.atomicOld = old;
  const bool mayWrite = operation.kind != AtomicOperation::Kind::Load;
  context.isKept = isKept;
  step(block, classifyAtomic(mayWrite, isKept), context);
  if (mayWrite)
    noteWriter(block, from, head.epoch > completedEpoch_, isKept);
}

void Engine::Impl::onInvalidate(NodeId from, fabric::Bytes body) {
  {
    Lock guard(lock);
    WireReader reader(body);
    InvalidateHead head;
    OMPDSM_CHECK(reader.get(head));
    while (!reader.atEnd()) {
      WireRun run;
      OMPDSM_CHECK(readRun(reader, run));
      forEachBlock(run.begin, run.bytes, [&](const BlockRef &block) {
        if (stateOf(block) == BlockState::Unread) {
          histories_.overwrites.onUnread(block.begin, block.area->blockShift);
          unreadUpdates_.onInvalidated(block.begin);
          noteWatched(block, /*isRead=*/false);
        }
        StepContext context;
        context.node = from;
        step(block, Event::Invalidate, context);
      });
    }
    confirmInvalidate(from, head.wantsAck);
  }
  messenger.notify();
}

void Engine::Impl::confirmInvalidate(NodeId home, bool wantsAck) {
  Peer &peer = peers_[home];
  peer.invalidatesProcessed.add(1);
  CountBody ack{peer.invalidatesProcessed.get()};
  if (wantsAck)
    messenger.post(home, MessageKind::InvalidateAck, {std::as_bytes(std::span(&ack, 1))});
}

void Engine::Impl::onInvalidateAck(NodeId from, fabric::Bytes body) {
  {
    Lock guard(lock);
    WireReader reader(body);
    CountBody ack;
    OMPDSM_CHECK(reader.get(ack) && ack.count <= peers_[from].invalidatesSent.get());
    peers_[from].onConfirmed(ack.count);
    completeAnswers();
  }
  messenger.notify();
  onConfirmation();
}

void Engine::Impl::onPutAck(NodeId from, fabric::Bytes body) {
  WireReader reader(body);
  CountBody puts;
  OMPDSM_CHECK(reader.get(puts));
  peers_[from].onPutAck(puts.count);
  messenger.notify();
  onConfirmation();
}

void Engine::Impl::answerWhenConfirmed(NodeId to, MessageKind kind, const AtomicReplyBody &reply) {
  postCollected(Confirmation::Acknowledged); // the invalidations that this answer depends on
  PendingAnswer &answer = answers_.emplace_back();
  answer.to = to;
  answer.kind = kind;
  answer.reply = reply;
  listAnswerNeeds(peers_, answer);
  for (auto [node, invalidates] : answer.needs)
    if (peers_[node].mustAsk())
      postInvalidates(node, Confirmation::Acknowledged); // of nothing, after those that count
  completeAnswers();
}

void Engine::Impl::completeAnswers() {
  sendConfirmedAnswers(answers_, peers_, [&](const PendingAnswer &answer) {
    const CountBody puts{peers_[answer.to].putsSent.get()};
    if (answer.kind == MessageKind::PutAck) {
      messenger.post(answer.to, answer.kind, {std::as_bytes(std::span(&puts, 1))});
      messenger.sendSoon(answer.to); // so many Puts may be waited for
    } else
      messenger.post(answer.to, answer.kind, {std::as_bytes(std::span(&answer.reply, 1))});
  });
}

void Engine::Impl::noteChange(const BlockRef &block, NodeId writer) {
  if (sites) [[unlikely]]
    concurrent.onChange(block.begin, writer, completedEpoch_.load(std::memory_order_relaxed));
}

void Engine::Impl::noteWriter(const BlockRef &block, NodeId writer, bool isEarly, bool isKept) {
  if (!block.area->migratable || !history_.isKept() ||
      (block.area->homesByBlock && sizing_.isTried(pageOf(block.begin))))
    return;
  const Address unit = homes.unitOf(*block.area, block.begin);
  if (isEarly)
    history_.noteEarlyWriter(unit, writer, isKept);
  else
    history_.noteWriter(unit, writer, isKept);
}

void Engine::Impl::noteChangedLines(const BlockRef &block, NodeId writer,
                                    std::span<const PutLine> lines) {
  for (const PutLine &line : lines)
    for (std::size_t i = 0; i < (line.whole ? line.lines : line.mask != 0); ++i)
      sizing_.onChanged(*block.area, line.line + i * kLineBytes, writer);
}

void Engine::Impl::noteFirstUse(const BlockRef &block) {
  if (!block.area->migratable || !history_.wantsFirstTouch() ||
      stateOf(block) != BlockState::Exclusive)
    return;
  const Address unit = homes.unitOf(*block.area, block.begin);
  if (std::exchange(lastUnused_, unit) == unit)
    return;
  const Address begin = pageOf(unit), end = homes.unitEnd(*block.area, unit);
  std::array<unsigned char, kMostPagesOfUnit> used{};
  if (mincore(memoryAt(begin), end - begin, used.data()) == 0 &&
      std::none_of(used.begin(), used.end(), [](unsigned char page) { return page & 1; }))
    history_.noteUnused(unit);
}

} // namespace ompdsm
