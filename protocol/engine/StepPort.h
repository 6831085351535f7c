// StepPort.h: one block of this node as the steps of core/ see it: its state, record, contents and
// messages. For Step.cpp alone, which has what is not said here.
#pragma once
#include "protocol/core/BarrierRules.h"
#include "protocol/engine/Digest.h"
#include "protocol/engine/EngineImpl.h"

namespace ompdsm {

/// One block during one event, under the engine's lock.
class Engine::Impl::Port {
public:
  Port(Impl &engine, const BlockRef &block, StepContext &context)
      : engine_(engine), block_(block), context_(context) {}

  static const Transition &transition(BlockState state, Event event) {
    return lookUp(state, event);
  }
  [[noreturn]] void impossible(Event) {
    OMPDSM_CHECK(!"an event that cannot occur in this state");
    __builtin_unreachable();
  }
  BlockState state() const { return engine_.stateOf(block_); }
  void setState(BlockState state) {
    engine_.states_.set(block_.begin, block_.begin + block_.bytes, state);
  }
  BlockRecord &record() {
    hasLooked_ = true;
    if (!record_)
      record_ = &engine_.blocks_.findOrAdd(block_.begin, block_.area->blockShift);
    return *record_;
  }
  BlockRecord *findRecord() {
    if (!std::exchange(hasLooked_, true))
      record_ = engine_.blocks_.find(block_.begin, block_.area->blockShift);
    return record_;
  }
  void forgetIfEmpty() {
    if (BlockRecord *record = findRecord(); record && !isBusy(*record, state())) {
      engine_.blocks_.park(block_.begin, block_.area->blockShift);
      record_ = nullptr;
    }
  }
  const SharerSet &sharers() {
    return findRecord() ? record_->sharers
                        : engine_.blocks_.parkedOf(block_.begin, block_.area->blockShift);
  }
  bool isSharer(NodeId node) { return sharers().contains(node); }
  NodeId peer() const { return context_.node; }

  void addWaiter() {
    context_.waiter->remaining.fetch_add(1, std::memory_order_relaxed);
    record().waiters.push_front(context_.waiter);
  }
  void wakeWaiters() {
    for (MissWaiter *waiter : record().waiters)
      waiter->remaining.fetch_sub(1, std::memory_order_release); // pairs with the waiter's acquire
    record().waiters.clear();
    engine_.requestsInFlight_.fetch_sub(1, std::memory_order_release); // pairs with barrier()
  }
  void postpone() { postponed_ = true; }
  bool wasPostponed() const { return postponed_; }
  std::uint64_t newGraceStamp() { return engine_.grace.stamp(); }
  bool othersOffline() const { return engine_.grace.othersOffline(context_.thread); }
  bool isQuietSince(std::uint64_t stamp) const {
    return engine_.grace.isQuiet(stamp, context_.thread);
  }

  void overwriteMemory() {
    // Where nothing was ever written, reading zeros takes no memory.
    if (context_.data || !isZero(memory(), block_.bytes))
      overwrite(memory(), data(), block_.bytes);
  }
  void mergeUnderWriters() { ompdsm::mergeUnderWriters(memory(), ownTwin(), data(), block_.bytes); }
  void takeTwin() {
    // The twins of memory that nobody has written are one.
    if (isZero(memory(), block_.bytes)) {
      OMPDSM_CHECK(!record().twin);
      record().twin = engine_.zeros_.data();
    } else {
      record().twin = newTwin();
      snapshot(record().twin, memory(), block_.bytes);
    }
  }
  void renewTwin() { std::memcpy(ownTwin(), engine_.snapshot_.data(), block_.bytes); }
  void freeTwin() {
    std::byte *twin = std::exchange(record().twin, nullptr);
    if (twin != engine_.zeros_.data())
      engine_.blocks_.twins().release(twin, block_.area->blockShift);
  }
  void makeTwinOfSnapshot() {
    record().twin = newTwin();
    renewTwin();
  }
  void keepDigest() { record().served = digestOfSnapshot(); }
  bool compareWithDigest();
  void dropDigest() { record().served = {}; }
  void enlist() { engine_.blocks_.enlist(block_.begin); }
  bool compareWithTwin();
  void takeWhole(bool quiet) {
    // A thread comes online under the lock, so what is quiet stays as it is until the step is over.
    whole_ = memory();
    if (quiet)
      return;
    snapshot(engine_.snapshot_.data(), memory(), block_.bytes);
    whole_ = engine_.snapshot_.data();
  }
  Keeping keeping() {
    return engine_.options.dropUnread
               ? engine_.histories_.overwrites.onSent(block_.begin, block_.area->blockShift,
                                                      engine_.histories_.watchesAgain)
               : Keeping::Copy;
  }
  void noteUnchanged() {
    engine_.noteSilentStores(block_);
    if (!isHomeState(state()))
      return;
    engine_.histories_.writes.onUnchanged(block_.begin, block_.area->blockShift);
    engine_.histories_.densities.onUnchanged(block_.begin, block_.area->blockShift);
    engine_.histories_.served.onUnchanged(block_.begin, block_.area->blockShift);
  }
  bool expectsStores() const {
    return !engine_.options.keepDigests ||
           engine_.histories_.served.expectsStores(block_.begin, block_.area->blockShift);
  }
  bool expectsWriter() {
    if (engine_.options.openBare && // a miss is the less
        engine_.histories_.densities.expects(block_.begin, block_.area->blockShift))
      return false;
    return !engine_.options.closePushed ||
           engine_.histories_.writes.onPushed(block_.begin, block_.area->blockShift,
                                              engine_.histories_.believesAgain);
  }
  void noteWriter() {
    engine_.noteWriter(block_, engine_.self);
    if (engine_.sizing_.isWatching())
      for (std::size_t line = 0; line < block_.bytes / kLineBytes; ++line)
        if (whole_ || engine_.masks_[line])
          engine_.sizing_.onChanged(*block_.area, block_.begin + line * kLineBytes, engine_.self);
    if (engine_.putConfirmation_ == Confirmation::Counted)
      engine_.noteChange(block_, engine_.self);
  }
  void applyChangesToMemory() { apply(memory()); }
  void applyChangesToTwin() { apply(ownTwin()); }
  void executeAtomicInMemory() {
    if (!context_.lines.empty())
      return addSums(memory());
    engine_.options.atomicExecutor(engine_.memoryAt(context_.atomicAddress), *context_.atomic,
                                   context_.atomicOld);
  }
  void applyAtomicToTwin();

  void collectGet() {
    NodeId home = engine_.homes.homeOf(*block_.area, block_.begin);
    engine_.getRuns_[home].add(block_.begin, block_.bytes);
    engine_.requestsInFlight_.fetch_add(1, std::memory_order_relaxed);
  }
  void collectPut();
  void collectWhole() { collectOverwritten(WholeBlock::Overwritten); }
  void collectAway() { collectOverwritten(WholeBlock::Away); }
  unsigned collectSums(); ///< In how many messages there are some.
  void collectLeave() {
    NodeId home = engine_.homes.homeOf(*block_.area, block_.begin);
    engine_.leaveRuns_[home].add(block_.begin, block_.bytes);
  }
  void collectTwin(NodeId to) { engine_.appendData(block_, to, record().twin, Contents::Stay); }
  void collectMemory(NodeId to) {
    // Where nobody may store, memory stays as it is until all that is asked for together has left;
    // where stores have no checks, somebody always may.
    takeWhole(/*quiet=*/state() == BlockState::Shared && !isUntracked());
    engine_.appendData(block_, to, whole_, wholeMay());
  }
  void collectSupply(NodeId to) {
    takeWhole(/*quiet=*/true);          // no thread can hold W
    if (block_.begin % kPageBytes == 0) // of which all may be needed at once
      makeRoom(to, std::max(block_.bytes, kPageBytes));
    refresh(to, /*isSole=*/false); // who has no copy yet does not take itself for that
  }
  bool sentDiffers() {
    if (state() == BlockState::HomeServed)
      return digestOfSnapshot() != record().served;
    return std::memcmp(engine_.snapshot_.data(), record().twin, block_.bytes) != 0;
  }
  void collectInvalidate(NodeId sharer) {
    engine_.invalidateRuns_[sharer].add(block_.begin, block_.bytes);
    if (withholds(sharer)) {
      engine_.histories_.withheld.onWithheld(context_.site, block_.begin, block_.area->blockShift,
                                             sharer);
      engine_.statistics.changesWithheld.fetch_add(1, std::memory_order_relaxed);
    }
    if (mayPush())
      engine_.prediction_.onInvalidated(block_.begin, block_.area->blockShift, sharer,
                                        engine_.histories_.believesAgain);
    engine_.statistics.invalidations.fetch_add(1, std::memory_order_relaxed);
  }

  bool expectsReader(NodeId node) const {
    return mayPush() &&
           engine_.prediction_.expects(block_.begin, block_.area->blockShift, node,
                                       context_.ofBarrier && !isUntracked()) &&
           !withholds(node);
  }
  void collectUpdate(NodeId to);
  void collectRefresh(NodeId to);
  void forwardPut(NodeId to);
  bool hasSaidSole() const {
    return engine_.saidSole_.contains(block_.begin, block_.area->blockShift);
  }
  void forgetSaidSole() { engine_.saidSole_.set(block_.begin, block_.area->blockShift, false); }
  bool saysSole() {
    return engine_.options.soleSharers && context_.mayBeSole && mayPush() &&
           engine_.saidSole_.onPut(block_.begin, block_.area->blockShift,
                                   engine_.histories_.believesAgain);
  }
  void collectSharing(NodeId to, bool isSole);
  void forgetSole() { engine_.soleBlocks_.set(block_.begin, block_.area->blockShift, false); }

  // For the trace.
  NodeId homeOfBlock() const { return engine_.homes.homeOf(*block_.area, block_.begin); }
  ContentsDigest digestOfData() const { return digestOf(data()); }
  ContentsDigest digestOfTwin() { return digestOf(record().twin); }
  ContentsDigest digestOfSent() const { return digestOfWhole(); }
  ContentsDigest digestOfChanges() const;
  ContentsDigest digestOfPut();
  ContentsDigest digestOfNothing() const { return digestOfLine(block_.begin, 0, nullptr); }
  ContentsDigest digestOfWhole() const {
    return digestOf(whole_ ? whole_ : engine_.snapshot_.data());
  }

  bool isUntracked() const { return block_.area->untracked; }
  bool isForeign() const { return block_.area->foreign; }
  void listForeignCopy() {
    engine_.foreignCopies_.push_back(block_.begin);
    engine_.foreignCopyCount_.store(engine_.foreignCopies_.size(), std::memory_order_relaxed);
  }
  void countUntracked(int dirty, int fetching) {
    engine_.untrackedDirty_ += unsigned(dirty);
    engine_.untrackedFetching_ += unsigned(fetching);
  }

private:
  void apply(std::byte *block) const {
    const PutLine &first = context_.lines.front();
    if (first.whole)
      overwrite(block, first.packed ? first.packed : engine_.zeros_.data(), block_.bytes);
    else
      byteMasks().apply(block, block_.begin, context_.lines);
  }
  void collectOverwritten(WholeBlock why);
  unsigned collectSums(NodeId home, SumKind kind);
  void addSums(std::byte *block) const;
  void refresh(NodeId to, bool isSole);
  /// Of what takeWhole has taken: memory, if the block is quiet. The flush that takes it sends it
  /// before anybody can store there again.
  Contents wholeMay() const { return whole_ == memory() ? Contents::Stay : Contents::MayChange; }
  /// Whether the home may have to tell others of what this node puts.
  bool isTold() const {
    return !engine_.soleBlocks_.contains(block_.begin, block_.area->blockShift);
  }
  void notePut(NodeId home);
  /// Whether a sharer's copy ends although it will be read, as that will not be behind the site of
  /// this barrier.
  bool withholds(NodeId node) const;
  std::size_t changedByEvent() const; ///< By another node, or as this flush has found.
  std::byte *newTwin() {
    OMPDSM_CHECK(!record().twin);
    engine_.statistics.twins.fetch_add(1, std::memory_order_relaxed);
    return engine_.blocks_.twins().acquire(block_.area->blockShift);
  }
  /// To be written to: no other block has it.
  std::byte *ownTwin() {
    if (record().twin == engine_.zeros_.data()) {
      record().twin = nullptr;
      record().twin = newTwin();
      std::memset(record().twin, 0, block_.bytes);
    }
    return record().twin;
  }
  std::byte *memory() const { return engine_.memoryOf(block_); }
  ServedDigest digestOfSnapshot() const {
    return servedDigestOf(engine_.snapshot_.data(), block_.bytes);
  }
  /// What compareWithTwin has found.
  std::span<const LineMask> masksOfBlock() const {
    return std::span(engine_.masks_).first(block_.bytes / kLineBytes);
  }
  /// A line without bytes is enough for the home to tell the other sharers.
  bool isPut(std::size_t line) {
    return engine_.masks_[line] || (line == 0 && record().distrusted);
  }
  /// Not what ends at every acquire, and only what fits into one message.
  bool mayPush() const {
    return engine_.options.pushUpdates && !isForeign() && block_.bytes <= kMostPushedBytes;
  }
  bool mayBeSole(NodeId node) { return engine_.options.soleSharers && sharers().isOnly(node); }
  void makeRoom(NodeId to, std::size_t bytes) {
    if (!engine_.updates_[to].hasRoom(engine_.mostBytesForAll(), bytes))
      engine_.postUpdates(to, engine_.putConfirmation_);
  }
  /// With room for `bytes` of changes.
  PutWriter &updateFor(NodeId to, std::size_t bytes) { return updateFor(to, bytes, mayBeSole(to)); }
  /// `isSole`: so is said to the receiver.
  PutWriter &updateFor(NodeId to, std::size_t bytes, bool isSole) {
    PutWriter &update = engine_.updates_[to];
    if (engine_.hasKept_ && !engine_.invalidateRuns_[to].empty()) {
      // What was kept may have ended the receiver's copy of this block, after an Update of it.
      if (!update.empty())
        engine_.postUpdates(to, Confirmation::Counted);
      engine_.postInvalidates(to, Confirmation::Counted);
    }
    makeRoom(to, bytes);
    update.saySole(isSole);
    if (isSole && engine_.nodes > 2) // else there is no other
      engine_.saidSole_.set(block_.begin, block_.area->blockShift, true);
    engine_.sizing_.onSent(block_.begin, bytes);
    engine_.statistics.blocksPushed.fetch_add(1, std::memory_order_relaxed);
    engine_.countAt(engine_.siteOf(engine_.putConfirmation_),
                    [](SiteCounts &counts) { ++counts.blocksPushed; });
    return update;
  }
  static_assert(PutWriter::mostBytes(kMostPushedBytes / kLineBytes) + sizeof(RequestHead) <=
                Messenger::mostBodyBytes(EngineOptions::kMostNodesOfMulticasts) -
                    EngineOptions::kMostNodesOfMulticasts * sizeof(ReceiverPuts));
  const std::byte *data() const { return context_.data ? context_.data : engine_.zeros_.data(); }
  ContentsDigest digestOf(const std::byte *contents) const {
    return digestOfBlock(block_.begin, contents, block_.bytes);
  }

  Impl &engine_;
  const BlockRef &block_;
  StepContext &context_;
  BlockRecord *record_ = nullptr;
  bool hasLooked_ = false;           ///< Then null means that there is none.
  const std::byte *whole_ = nullptr; ///< What takeWhole has taken.
  bool postponed_ = false;
};

} // namespace ompdsm
