// Model.h: what a replay knows of blocks, and the Port (core/BlockStep.h) that steps them. The Port
// has the model's records and states; what depends on contents and threads it takes from the trace.
#pragma once
#include "protocol/core/BarrierRules.h"
#include "protocol/core/EventRecord.h"
#include "protocol/core/Eviction.h"
#include "protocol/core/Quiescence.h"
#include "protocol/core/Serving.h"
#include "protocol/core/SharerSet.h"
#include "protocol/sim/replay/Obligations.h"
#include <deque>
#include <map>
#include <string>
#include <unordered_map>

namespace ompdsm::sim {

/// The fields of the engine's BlockRecord.
struct ModelRecord {
  std::uint64_t graceStamp = 0;
  bool twinned = false, distrusted = false, writerWaits = false;
  SharerSet sharers;
  bool hasTwin() const { return twinned; }
};

struct ModelCopy {
  BlockState state = BlockState::Invalid;
  ModelRecord record;
  std::uint64_t wakes = 0; ///< How often waiters were woken.
};

/// What is under way between two nodes about one block.
struct BlockMessage {
  enum class What : std::uint8_t { Get, Put, Leave, Atomic, Data, Invalidate, Update };
  What what = What::Get;
  ContentsDigest contents;             ///< Of a Put what is not yet applied.
  std::vector<Obligations::Held> held; ///< Of a Put, an Invalidate or an Update.
  bool whole = false;                  ///< A Put that makes its sender a sharer.
  bool mayBeTaken = false; ///< An Update that may have come with the one before (joinUpdates).
};
const char *nameOf(BlockMessage::What what);

struct ModelBlock {
  Address begin = 0;
  const EventArea *area = nullptr;
  std::vector<ModelCopy> copies; ///< By node.
  NodeId home = 0;
  std::optional<NodeId> heir; ///< Given away, and not yet adopted.
  /// Digest of the home's memory, while it cannot have changed unseen.
  std::optional<std::uint64_t> contents;
  /// By sender and receiver, in the order of the channels.
  std::map<std::pair<NodeId, NodeId>, std::deque<BlockMessage>> requests, replies;
};

/// A thread's quiescence as the trace tells it.
struct ModelCounter {
  using Value = std::uint64_t;
  Value get() const { return value; }
  void set(Value to) { value = to; }
  Value value = 0;
};
struct ModelNode {
  std::map<std::uint64_t, ModelCounter> threads; ///< By number of the registration, from 1.
  std::uint64_t lastStamp = 0;
  std::unordered_map<Address, NodeId> moved;         ///< By page, in this node's map.
  std::unordered_map<Address, NodeId> movedBlocks;   ///< The same of blocks in a page.
  std::unordered_map<Address, unsigned> blockShifts; ///< The same of what is not its area's.
};

class ModelPort {
public:
  using Clock = QuiescenceClock<ModelCounter>;

  /// `home`: in the node's map. The journal is the one that is being written.
  ModelPort(ModelBlock &block, NodeId self, ModelNode &node, NodeId home,
            const EventRecord &recorded, const StepJournal &journal)
      : block_(block), copy_(block.copies[self]), node_(node), home_(home), recorded_(recorded),
        journal_(journal) {}

  static const Transition &transition(BlockState state, Event event) {
    return lookUp(state, event);
  }
  void impossible(Event) {}
  BlockState state() const { return copy_.state; }
  void setState(BlockState state) { copy_.state = state; }
  ModelRecord &record() { return copy_.record; }
  ModelRecord *findRecord() { return &copy_.record; }
  void forgetIfEmpty() {
    if (!isBusy(copy_.record, copy_.state)) {
      ModelRecord kept;
      kept.sharers = std::move(copy_.record.sharers);
      copy_.record = std::move(kept);
    }
  }
  const SharerSet &sharers() const { return copy_.record.sharers; }
  bool isSharer(NodeId node) const { return sharers().contains(node); }
  NodeId peer() const { return recorded_.peer; }

  void addWaiter() {}
  void wakeWaiters() { ++copy_.wakes; }
  void postpone() { postponed_ = true; }
  bool wasPostponed() const { return postponed_; }
  std::uint64_t newGraceStamp();
  bool othersOffline();
  bool isQuietSince(std::uint64_t stamp);

  void overwriteMemory() {}
  void mergeUnderWriters() {}
  void takeTwin() { copy_.record.twinned = true; }
  void renewTwin() {}
  void takeWhole(bool) {}
  Keeping keeping() const { return Keeping(number(Note::Keeping, 0)); }
  void noteUnchanged() {}
  bool expectsStores() const { return number(Note::ExpectsStores, 0) != 0; }
  bool expectsWriter() const { return number(Note::ExpectsWriter, 0) != 0; }
  void makeTwinOfSnapshot() { copy_.record.twinned = true; }
  void freeTwin() { copy_.record.twinned = false; }
  void keepDigest() {}
  bool compareWithDigest() const { return number(Note::Changed, 0) != 0; }
  void dropDigest() {}
  void enlist() {}
  bool compareWithTwin() const { return number(Note::Changed, 0) != 0; }
  void noteWriter() {}
  void applyChangesToMemory() {}
  void applyChangesToTwin() {}
  void executeAtomicInMemory() {}
  void applyAtomicToTwin() {}

  void collectGet() {}
  void collectPut() {}
  void collectWhole() {}
  void collectAway() {}
  unsigned collectSums() const { return unsigned(number(Note::SendSums, 1)); }
  void collectLeave() {}
  void collectTwin(NodeId) {}
  void collectMemory(NodeId) {}
  void collectSupply(NodeId) {}
  bool sentDiffers() const { return number(Note::SentDiffers, 0) != 0; }
  void collectInvalidate(NodeId) {}
  bool expectsReader(NodeId) const { return number(Note::Expects, 1) != 0; }
  void collectUpdate(NodeId) {}
  void collectRefresh(NodeId) {}
  void forwardPut(NodeId) {}
  bool hasSaidSole() const { return number(Note::HasSaidSole, 0) != 0; }
  void forgetSaidSole() {}
  bool saysSole() const { return number(Note::SaysSole, 0) != 0; }
  void collectSharing(NodeId, bool) {}
  void forgetSole() {}

  NodeId homeOfBlock() const { return home_; }
  ContentsDigest digestOfData() const {
    return {0, number(Note::Overwrite, 0) + number(Note::Merge, 0)};
  }
  ContentsDigest digestOfChanges() const {
    return {number(Note::Apply, 0) + number(Note::SendUpdate, 1),
            number(Note::Apply, 1) + number(Note::SendUpdate, 2)};
  }
  ContentsDigest digestOfPut() const {
    return {number(Note::SendPut, 1) + number(Note::SendUpdate, 1),
            number(Note::SendPut, 2) + number(Note::SendUpdate, 2)};
  }
  ContentsDigest digestOfNothing() const {
    return {number(Note::SendUpdate, 1), number(Note::SendUpdate, 2)};
  }
  ContentsDigest digestOfWhole() const {
    return {number(Note::SendWhole, 1) + number(Note::SendAway, 1) + number(Note::SendUpdate, 1),
            number(Note::SendWhole, 2) + number(Note::SendAway, 2) + number(Note::SendUpdate, 2)};
  }
  ContentsDigest digestOfTwin() const { return {0, number(Note::SendTwin, 1)}; }
  ContentsDigest digestOfSent() const { return {0, number(Note::SendMemory, 1)}; }

  bool isUntracked() const { return block_.area->untracked; }
  bool isForeign() const { return block_.area->foreign; }
  void listForeignCopy() {}
  void countUntracked(int, int) {}

  /// What the trace says that cannot be, or nothing.
  const std::string &doubt() const { return doubt_; }

private:
  /// Of the note that the trace has where the journal has come to; 0 if it is another: then the
  /// journals differ there.
  std::uint64_t number(Note note, unsigned index) const;
  /// Whether some thread but who flushes was not quiescent at `stamp`, though the trace says so.
  bool believed(bool quiet, std::uint64_t stamp, const char *what);

  ModelBlock &block_;
  ModelCopy &copy_;
  ModelNode &node_;
  const NodeId home_;
  const EventRecord &recorded_;
  const StepJournal &journal_;
  bool postponed_ = false;
  std::string doubt_;
};

} // namespace ompdsm::sim
