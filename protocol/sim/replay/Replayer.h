// Replayer.h: applies the records of a trace, in an order that respects messages, to a model in
// which the core's code decides, and says where the two differ.
//
// Checked: every step of every block (state, event, what it does and in which order, what remains
// of the record); that each message about a block is handled once, in order, with the contents that
// were sent; that what grace periods, permissions, releases and barriers are said to have waited
// for has happened; and what holds of a block on all nodes at any time.
#pragma once
#include "protocol/sim/replay/Model.h"

namespace ompdsm::sim {

class Replayer {
public:
  explicit Replayer(const EventHead &head);

  /// One record of `node`; false if it cannot be: then failure() says why.
  [[nodiscard]] bool apply(NodeId node, const EventRecord &record);
  /// After the last record, if all nodes ended in order.
  [[nodiscard]] bool finish();

  const std::string &failure() const { return failure_; }
  /// That the failure is about.
  std::optional<Address> failedBlock() const { return failedBlock_; }
  /// Where the block begins that has `address`; none if no area has it.
  /// With the sizes that it had at first.
  std::optional<Address> blockAt(Address address) const;
  /// Where the block ends that begins at `block`.
  Address endOf(Address block) const { return blockEnd(*areaOf(block), block); }
  std::uint64_t steps() const { return steps_; }

private:
  void fail(const std::string &what) {
    if (failure_.empty())
      failure_ = what;
  }
  void failAt(Address block, const std::string &what) {
    failedBlock_ = block;
    fail(what);
  }
  const EventArea *areaOf(Address address) const;
  /// With the size that blocks have there, in the node's map.
  const EventArea *areaIn(NodeId node, Address address) const;
  static Address blockBegin(const EventArea &area, Address address);
  Address blockEnd(const EventArea &area, Address block) const;
  ModelBlock &blockOf(NodeId node, const EventArea &area, Address begin);
  NodeId homeIn(NodeId node, const EventArea &area, Address block) const;
  BlockState stateIn(NodeId node, const EventArea &area, Address block) const;

  // Replayer.cpp
  void visit(NodeId node, const EventRecord &record);
  void compare(const ModelBlock &block, NodeId node, const EventRecord &record);
  void ask(NodeId node, const EventRecord &record);
  void granted(NodeId node, const EventRecord &record);
  void released(NodeId node, const EventRecord &record);
  void leave(NodeId node, const EventRecord &record);
  void move(NodeId node, const EventRecord &record);
  void resize(NodeId node, const EventRecord &record);
  // Traffic.cpp
  void receive(ModelBlock &block, NodeId node, const EventRecord &record);
  BlockMessage *front(ModelBlock &block, NodeId from, NodeId to, BlockMessage::What what);
  void take(ModelBlock &block, NodeId from, NodeId to, BlockMessage::What what,
            const ContentsDigest *contents);
  void joinUpdates(ModelBlock &block, NodeId from, NodeId to, std::uint64_t lines);
  void takeUpdate(ModelBlock &block, NodeId from, NodeId to, const EventRecord &record);
  void send(ModelBlock &block, NodeId node, const EventRecord &record);
  void post(ModelBlock &block, NodeId from, NodeId to, BlockMessage message);
  void joinUnderWay(ModelBlock &block, NodeId home, const std::vector<Obligations::Held> &held);
  void checkUnwritten(ModelBlock &block, const EventRecord &record);
  void changeHome(ModelBlock &block, NodeId node, const EventRecord &record);
  void checkEverywhere(const ModelBlock &block);

  const unsigned nodes_;
  const std::vector<EventArea> areas_;
  /// By area and size, beside areas_.
  mutable std::map<std::pair<const EventArea *, unsigned>, EventArea> resizedAreas_;
  /// That something has happened to, by keyOf.
  std::unordered_map<Address, ModelBlock> blocks_;
  std::map<std::pair<Address, std::uint64_t>, unsigned> resizing_; ///< Nodes that have, by page.
  std::vector<ModelNode> model_;
  Obligations obligations_;
  struct Awaited {
    const ModelCopy *copy = nullptr;
    Address block = 0;
    std::uint64_t wakes = 0; ///< When it was asked for.
  };
  /// By thread and begin of the range; a thread may ask for several at once.
  std::multimap<std::tuple<NodeId, std::uint64_t, Address>, std::vector<Awaited>> awaited_;
  std::map<std::pair<NodeId, std::uint64_t>, Obligations::Number> releasing_; ///< By thread.
  std::map<std::pair<NodeId, std::uint64_t>, Obligations::Number> arrived_;   ///< By barrier.
  StepJournal journal_;
  std::uint64_t steps_ = 0;
  std::string failure_;
  std::optional<Address> failedBlock_;
};

} // namespace ompdsm::sim
