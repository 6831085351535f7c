// Port.h: one block of one simulated node during one event: the Port of core/BlockStep.h and
// core/BlockFlush.h.
#pragma once
#include "protocol/core/BlockFlush.h"
#include "protocol/sim/simulator/Simulation.h"

namespace ompdsm::simulator {

class Simulation::Port {
public:
  Port(Simulation &simulation, Node &node, BlockId block, StepContext &context)
      : simulation_(simulation), node_(node), block_(block), context_(context),
        copy_(simulation.copyOf(node, block)) {}

  const Transition &transition(BlockState state, Event event) const;
  [[noreturn]] void impossible(Event event) const;
  BlockState state() const { return copy_.state; }
  void setState(BlockState state) { copy_.state = state; }
  Record &record() {
    if (!copy_.record)
      copy_.record = std::make_unique<Record>();
    return *copy_.record;
  }
  Record *findRecord() { return copy_.record.get(); }
  void forgetIfEmpty() {
    if (copy_.record && !isBusy(*copy_.record, state()) && copy_.record->sharers.empty())
      copy_.record.reset();
  }
  SharerSet sharers() const { return copy_.record ? copy_.record->sharers : SharerSet(); }
  bool isSharer(NodeId node) const { return sharers().contains(node); }
  NodeId peer() const { return context_.node; }

  void addWaiter();
  void wakeWaiters();
  void postpone() { postponed_ = true; }
  bool wasPostponed() const { return postponed_; }
  std::uint64_t newGraceStamp() { return node_.clock.stamp(); }
  bool othersOffline() const {
    return (!context_.thread && !simulation_.rules_.quietHomesAreOffline) ||
           (context_.isSupply && !simulation_.rules_.suppliedBlocksAreQuiet) ||
           simulation_.othersOffline(node_, context_.thread);
  }
  bool isQuietSince(std::uint64_t stamp) const;

  void overwriteMemory();
  void mergeUnderWriters();
  void takeTwin();
  void makeTwinOfSnapshot();
  void renewTwin() { twin() = snapshot_; }
  void freeTwin() { twin() = {}; }
  void keepDigest();
  bool compareWithDigest();
  void dropDigest() { record().served = {}; }
  void enlist() { node_.dirty.push_back(block_); }
  bool compareWithTwin();
  void takeWhole(bool quiet);
  Keeping keeping() const;
  void noteUnchanged() {}
  bool expectsWriter() const;
  bool expectsStores() const;
  /// Before the flush asks who is quiet: wrong, unless a rule is off.
  void takeSnapshot();
  void noteWriter() { simulation_.noteWriter(node_, block_, node_.self); }
  void applyChangesToMemory();
  void applyChangesToTwin();
  void executeAtomicInMemory();
  void applyAtomicToTwin();

  void collectGet();
  void collectPut();
  void collectWhole();
  void collectAway();
  unsigned collectSums() const { return 0; } ///< None are kept here.
  void collectLeave();
  void collectTwin(NodeId to) { collectContents(to, twin()); }
  void collectMemory(NodeId to) { collectContents(to, memory()); }
  void collectSupply(NodeId to) {
    takeWhole(/*quiet=*/true);
    collectUpdateOf({block_, false, true, false, true, {}, snapshot_}, to, /*isSole=*/false);
  }
  bool sentDiffers() {
    return memory() != (state() == BlockState::HomeServed ? record().served : twin());
  }
  void collectInvalidate(NodeId to);
  bool expectsReader(NodeId node) const;
  void collectUpdate(NodeId to);
  void collectRefresh(NodeId to) {
    collectUpdateOf({block_, false, true, false, true, {}, snapshot_}, to);
  }
  void forwardPut(NodeId to) { collectUpdateOf(*context_.change, to); }
  bool hasSaidSole() const { return copy_.hasSaidSole; }
  void forgetSaidSole() { copy_.hasSaidSole = false; }
  bool saysSole() const;
  void collectSharing(NodeId to, bool isSole);
  void forgetSole() { copy_.isSole &= !simulation_.rules_.lostCopiesAreNotSole; }

  bool isUntracked() const { return area().untracked; }
  bool isForeign() const { return area().foreign; }
  void listForeignCopy() { node_.foreignCopies.push_back(block_); }
  void countUntracked(int dirty, int fetching) {
    node_.untrackedDirty += unsigned(dirty);
    node_.untrackedFetching += unsigned(fetching);
  }

private:
  const Area &area() const { return simulation_.space_.areaOf(block_); }
  const Range &range() const { return simulation_.space_.block(block_).range; }
  Bytes &memory() { return simulation_.memoryOf(copy_, block_); }
  Bytes &twin();
  void write(std::size_t byte, std::uint8_t value); ///< Of the protocol, to memory.
  bool keepsBytesUnderZeros() const;                ///< Wrong.
  void collectChange(Change change, std::size_t bytes);
  void collectUpdateOf(Change change, NodeId to, bool isSole);
  void collectUpdateOf(Change change, NodeId to) {
    collectUpdateOf(std::move(change), to, sharers().isOnly(to) || !simulation_.rules_.soleIsOfOne);
  }
  void collectContents(NodeId to, const Bytes &bytes);
  void touch() { simulation_.charge(node_, Time(range().bytes()) * kCostPerByte); }

  Simulation &simulation_;
  Node &node_;
  const BlockId block_;
  StepContext &context_;
  Copy &copy_;
  Bytes snapshot_;
  std::vector<std::uint64_t> masks_; ///< Of what differs from the twin.
  bool postponed_ = false;
};

} // namespace ompdsm::simulator
