// Step.cpp: what the steps of a block (core/BlockStep.h, core/BlockFlush.h) do to this node's
// memory, records and messages.
#include "protocol/core/Eviction.h"
#include "protocol/core/Serving.h"
#include "protocol/engine/StepPort.h"

namespace ompdsm {

bool Engine::Impl::Port::compareWithTwin() {
  const bool differs = byteMasks().compare(engine_.snapshot_.data(), engine_.masks_.data(),
                                           memory(), record().twin, block_.bytes / kLineBytes);
  BlockHistories &histories = engine_.histories_;
  if (engine_.putConfirmation_ == Confirmation::Counted)
    histories.changes.onCompared(block_.begin, block_.area->blockShift, differs);
  if (differs && state() == BlockState::HomeDirty)
    histories.densities.onChanged(block_.begin, block_.area->blockShift,
                                  WriteDensity::isDense(masksOfBlock()));
  return differs;
}

bool Engine::Impl::Port::compareWithDigest() {
  snapshot(engine_.snapshot_.data(), memory(), block_.bytes);
  const bool differs = digestOfSnapshot() != record().served;
  if (differs)
    engine_.histories_.served.onWritten(block_.begin, block_.area->blockShift);
  return differs;
}

void Engine::Impl::Port::collectPut() {
  /// Of a large block not all fit into one message.
  constexpr std::size_t kLinesTogether = 64;
  NodeId home = engine_.homes.homeOf(*block_.area, block_.begin);
  engine_.postSums(home); // so that the numbers of Puts are in their order
  PutWriter &put = engine_.puts_[home];
  const std::span masks = masksOfBlock();
  const std::byte *const taken = engine_.snapshot_.data();
  const bool isEmptyPut = !masks[0] && isPut(0);
  for (std::size_t first = 0; first < masks.size(); first += kLinesTogether) {
    const auto together = masks.subspan(first, std::min(kLinesTogether, masks.size() - first));
    if (!put.hasRoom(Messenger::kMaxBodyBytes,
                     PutWriter::bytesOf(together) + PutWriter::mostBytes(isEmptyPut)))
      engine_.postPut(home, engine_.putConfirmation_);
    engine_.peers_[home].putIsTold |= isTold();
    if (first == 0 && isEmptyPut)
      put.addLine(block_.begin, 0, taken);
    put.addLines(block_.begin + first * kLineBytes, together, taken + first * kLineBytes);
  }
  notePut(home);
}

void Engine::Impl::Port::collectOverwritten(WholeBlock why) {
  NodeId home = engine_.homes.homeOf(*block_.area, block_.begin);
  engine_.postSums(home); // as above
  PutWriter &put = engine_.puts_[home];
  if (!put.hasRoom(Messenger::kMaxBodyBytes, block_.bytes))
    engine_.postPut(home, engine_.putConfirmation_);
  engine_.peers_[home].putIsTold |= why == WholeBlock::Away || isTold();
  put.addWhole(block_.begin, {whole_, block_.bytes}, why, wholeMay());
  notePut(home);
  // What is full leaves now, and not with the next block: a flush may pause behind this one.
  if (!put.hasRoom(Messenger::kMaxBodyBytes, block_.bytes))
    engine_.postPut(home, engine_.putConfirmation_);
}

void Engine::Impl::Port::notePut(NodeId home) {
  // What is collected leaves with the next one.
  engine_.latestPuts_.onPut(block_.begin, block_.area->blockShift,
                            engine_.peers_[home].putsSent.get() + 1);
  if (!engine_.histories_.silentStores.isEmpty())
    engine_.histories_.silentStores.onChanged(engine_.homes.unitOf(*block_.area, block_.begin));
}

unsigned Engine::Impl::Port::collectSums() {
  // Behind the state: who has added and does not find it any more sends that, the rest is here.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  const NodeId home = homeOfBlock();
  const bool alone = engine_.grace.othersOffline(context_.thread);
  const std::span masks = std::span(engine_.masks_).first(block_.bytes / kLineBytes);
  unsigned messages = 0;
  std::size_t numbers = 0;
  engine_.atomics_.sums.forEachKind(block_.begin, [&](SumKind kind, std::byte *sums) {
    const std::size_t found =
        alone ? Sums::takeAlone(sums, kind, engine_.zeros_.data(), engine_.snapshot_.data(), masks)
              : Sums::take(sums, kind, engine_.snapshot_.data(), masks);
    numbers += found;
    if (found != 0)
      messages += collectSums(home, kind);
  });
  SumHistory &history = engine_.atomics_.sumHistory;
  if (isFetching(state()))
    history.onAsked(block_.begin, block_.area->blockShift);
  else if (context_.thread) // that releases
    history.onReleased(block_.begin, block_.area->blockShift, numbers);
  return messages;
}

/// Of what Sums::take has taken.
unsigned Engine::Impl::Port::collectSums(NodeId home, SumKind kind) {
  constexpr std::size_t kLinesTogether = 64;
  OutgoingSums &outgoing = engine_.sums_[home];
  if (!engine_.puts_[home].empty()) // as above
    engine_.postPut(home, engine_.putConfirmation_);
  const std::span masks = masksOfBlock();
  unsigned messages = 0;
  std::size_t latest = 0;
  for (std::size_t first = 0; first < masks.size(); first += kLinesTogether) {
    const auto together = masks.subspan(first, std::min(kLinesTogether, masks.size() - first));
    if (changedBytes(together) == 0)
      continue;
    outgoing.forLines(kind, PutWriter::bytesOf(together))
        .addLines(block_.begin + first * kLineBytes, together,
                  engine_.snapshot_.data() + first * kLineBytes);
    messages += std::exchange(latest, outgoing.size()) != outgoing.size();
  }
  engine_.latestPuts_.onPut(block_.begin, block_.area->blockShift,
                            engine_.peers_[home].putsSent.get() + outgoing.size());
  return messages;
}

/// The sums that have come to the numbers of the block, here or in a twin.
void Engine::Impl::Port::addSums(std::byte *block) const {
  for (const PutLine &put : context_.lines) {
    alignas(kLineBytes) std::byte sums[kLineBytes] = {};
    unpackMasked(sums, put.packed, put.mask);
    engine_.options.sumExecutor(block + (put.line - block_.begin), *context_.atomic, sums);
  }
}

void Engine::Impl::Port::collectRefresh(NodeId to) { refresh(to, mayBeSole(to)); }

void Engine::Impl::Port::refresh(NodeId to, bool isSole) {
  const std::byte *contents = whole_ ? whole_ : engine_.snapshot_.data();
  updateFor(to, block_.bytes, isSole)
      .addWhole(block_.begin, {contents, block_.bytes}, WholeBlock::Refreshed, wholeMay());
}

void Engine::Impl::Port::collectUpdate(NodeId to) {
  const std::span masks = masksOfBlock();
  if (whole_)
    return updateFor(to, block_.bytes)
        .addWhole(block_.begin, {whole_, block_.bytes}, WholeBlock::Overwritten, wholeMay());
  updateFor(to, PutWriter::bytesOf(masks)).addLines(block_.begin, masks, engine_.snapshot_.data());
}

void Engine::Impl::Port::forwardPut(NodeId to) {
  PutWriter &update = updateFor(to, PutWriter::bytesOf(context_.lines));
  for (const PutLine &put : context_.lines)
    update.addPacked(put.line, put.mask, put.packed);
}

bool Engine::Impl::Port::withholds(NodeId node) const {
  const WithheldChanges &withheld = engine_.histories_.withheld;
  return context_.site != kNoSite && !withheld.isEmpty() && !isUntracked() &&
         withheld.withholds(context_.site, block_.begin, block_.area->blockShift, node) &&
         WithheldChanges::isMuch(changedByEvent(), block_.bytes);
}

std::size_t Engine::Impl::Port::changedByEvent() const {
  if (!context_.lines.empty())
    return changedBytes(context_.lines);
  return whole_ ? block_.bytes : changedBytes(masksOfBlock());
}

void Engine::Impl::Port::collectSharing(NodeId to, bool isSole) {
  updateFor(to, PutWriter::mostBytes(1), isSole).addLine(block_.begin, 0, memory());
}

void Engine::Impl::Port::applyAtomicToTwin() {
  const AtomicOperation &operation = *context_.atomic;
  if (!context_.lines.empty()) // what the home has done besides is found at its release
    return addSums(ownTwin());
  if (operation.kind == AtomicOperation::Kind::Load)
    return;
  alignas(16) std::byte result[16], ignored[16];
  std::byte *const inTwin = ownTwin() + (context_.atomicAddress - block_.begin);
  // What the home has done besides is found at its release, by the sharer that stays.
  if (context_.isKept)
    return engine_.options.atomicExecutor(inTwin, operation, ignored);
  // The twin takes the value that this operation produced, even if a home thread has changed it
  // again meanwhile: that change is the home's own and is found at its release.
  std::memcpy(result, context_.atomicOld, operation.bytes);
  engine_.options.atomicExecutor(result, operation, ignored);
  std::memcpy(inTwin, result, operation.bytes);
}

ContentsDigest Engine::Impl::Port::digestOfChanges() const {
  ContentsDigest digest;
  for (const PutLine &put : context_.lines)
    digest += put.whole ? digestOf(put.packed ? put.packed : engine_.zeros_.data())
                        : digestOfLine(put.line, put.mask, put.packed);
  return digest;
}

ContentsDigest Engine::Impl::Port::digestOfPut() {
  if (whole_)
    return digestOf(whole_);
  ContentsDigest digest;
  for (std::size_t line = 0; line < block_.bytes / kLineBytes; ++line)
    if (isPut(line)) {
      std::byte packed[kLineBytes];
      packMasked(packed, engine_.snapshot_.data() + line * kLineBytes, engine_.masks_[line]);
      digest += digestOfLine(block_.begin + line * kLineBytes, engine_.masks_[line], packed);
    }
  return digest;
}

/// Writes to the trace what happened, at the latest when the process is about to end of it.
class Engine::Impl::TracedPort : public Journaled<Port> {
public:
  TracedPort(Impl &engine, const BlockRef &block, StepContext &context)
      : Journaled<Port>(engine.visited_.journal, engine, block, context), engine_(engine) {
    EventRecord &record = engine_.visited_;
    record.address = block.begin;
    record.peer = context.node;
    record.thread = context.thread ? context.thread->number() : 0;
    record.before = state();
    record.journal.clear();
    record.sharers.clear();
  }
  void finish() {
    EventRecord &record = engine_.visited_;
    record.after = state();
    for (unsigned n = 0; n < engine_.nodes && isHomeState(record.after); ++n)
      if (Port::isSharer(static_cast<NodeId>(n)))
        record.sharers.push_back(static_cast<NodeId>(n));
    engine_.options.events->write(record);
  }
  [[noreturn]] void impossible(Event event) {
    engine_.visited_.journal.add(Note::Impossible);
    finish();
    Port::impossible(event);
  }

private:
  Impl &engine_;
};

template <class Visit>
void Engine::Impl::visitBlock(const BlockRef &block, RecordKind kind, StepContext &context,
                              Visit &&visit) {
  if (!options.events) [[likely]] {
    Port port(*this, block, context);
    return visit(port);
  }
  visited_.kind = kind;
  TracedPort port(*this, block, context);
  visit(port);
  port.finish();
}

void Engine::Impl::step(const BlockRef &block, Event event, StepContext &context) {
  visitBlock(block, RecordKind::Step, context, [&](auto &port) { ompdsm::step(port, event); });
}

FlushResult Engine::Impl::flushBlock(const BlockRef &block, ThreadRegistration *thread) {
  StepContext context;
  context.thread = thread;
  context.ofBarrier = putConfirmation_ == Confirmation::Counted;
  context.site = siteOf(putConfirmation_);
  FlushResult result{};
  visitBlock(block, RecordKind::Flush, context,
             [&](auto &port) { result = ompdsm::flushBlock(port); });
  return result;
}

bool Engine::Impl::evictBlock(const BlockRef &block, ThreadRegistration *thread) {
  StepContext context;
  context.thread = thread;
  bool given = false;
  visitBlock(block, RecordKind::Evict, context,
             [&](auto &port) { given = ompdsm::evictBlock(port); });
  return given;
}

void Engine::Impl::stepGet(const BlockRef &block, NodeId from) {
  StepContext context;
  context.node = from;
  visitBlock(block, RecordKind::Serve, context, [&](auto &port) { ompdsm::stepGet(port); });
}

Supplied Engine::Impl::stepSupply(const BlockRef &block, NodeId to, ThreadRegistration *thread) {
  StepContext context;
  context.thread = thread;
  context.node = to;
  Supplied supplied{};
  visitBlock(block, RecordKind::Supply, context,
             [&](auto &port) { supplied = ompdsm::stepSupply(port); });
  return supplied;
}

void Engine::Impl::stepLeave(const BlockRef &block, NodeId from) {
  StepContext context;
  context.node = from;
  visitBlock(block, RecordKind::Forget, context, [&](auto &port) { ompdsm::stepLeave(port); });
}

bool Engine::Impl::mayCedeBlock(const BlockRef &block, NodeId heir, ThreadRegistration *thread) {
  StepContext context;
  context.thread = thread;
  context.node = heir;
  bool may = false;
  visitBlock(block, RecordKind::Cede, context,
             [&](auto &port) { may = ompdsm::mayCedeBlock(port, heir); });
  return may;
}

bool Engine::Impl::mayRecallBlock(const BlockRef &block, ThreadRegistration *thread) {
  StepContext context;
  context.thread = thread;
  bool may = false;
  visitBlock(block, RecordKind::Recall, context,
             [&](auto &port) { may = ompdsm::mayRecallBlock(port); });
  return may;
}

} // namespace ompdsm
