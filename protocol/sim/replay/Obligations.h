// Obligations.h: what must have happened before a release or a barrier ends (guarantee G2, traps 6
// and 7): each Put is applied, and what a Put has made stale, or a home has found to be stale, is
// invalidated.
#pragma once
#include "protocol/core/Types.h"
#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace ompdsm::sim {

class Obligations {
public:
  using Number = std::uint64_t;
  /// A Put, or an Invalidate, of a block that `holder` has to see done; numbers grow over all
  /// nodes.
  struct Held {
    NodeId holder = 0;
    Number number = 0;
  };
  struct Stale {
    NodeId node = 0;
    Address block = 0;
  };

  explicit Obligations(unsigned nodes)
      : coveredPuts_(nodes), coveredInvalidates_(nodes), puts_(nodes), invalidates_(nodes) {
    for (auto &targets : invalidates_)
      targets.resize(nodes);
  }
  Number last() const { return last_; }

  Held addPut(NodeId holder, Address block) {
    puts_[holder].emplace(++last_, block);
    return {holder, last_};
  }
  void removePut(Held put) { remove(puts_[put.holder], put.number); }

  Held addInvalidate(NodeId home, NodeId target, Address block) {
    return joinInvalidate({home, ++last_}, target, block);
  }
  /// An Invalidate that is under way is one more thing that what is held already waits for.
  Held joinInvalidate(Held held, NodeId target, Address block) {
    invalidates_[held.holder][target].emplace(held.number, block);
    return held;
  }
  void removeInvalidate(Held held, NodeId target) {
    remove(invalidates_[held.holder][target], held.number);
  }

  // What a barrier waits for: the block, if there is one.
  /// Of those of which waitsFor(block) is true.
  template <class WaitsFor>
  std::optional<Address> unappliedPut(NodeId holder, Number upTo, WaitsFor waitsFor) const {
    for (const auto &[number, block] : puts_[holder])
      if (number <= upTo && waitsFor(block))
        return block;
    return {};
  }
  std::optional<Address> staleAt(NodeId holder, NodeId target, Number upTo) const {
    return firstIn(invalidates_[holder][target], 0, upTo);
  }

  // What a release waits for: not for what a barrier covers, as acquires in nodes that are still
  // in it ask.
  void cover(NodeId holder, Number puts, Number invalidates) {
    coveredPuts_[holder] = std::max(coveredPuts_[holder], puts);
    coveredInvalidates_[holder] = std::max(coveredInvalidates_[holder], invalidates);
  }
  std::optional<Address> releasedPut(NodeId holder, Number upTo) const {
    return firstIn(puts_[holder], coveredPuts_[holder], upTo);
  }
  std::optional<Stale> releasedStale(NodeId holder, Number upTo) const {
    for (std::size_t target = 0; target < invalidates_.size(); ++target)
      if (const auto block =
              firstIn(invalidates_[holder][target], coveredInvalidates_[holder], upTo))
        return Stale{NodeId(target), *block};
    return {};
  }

private:
  using Blocks = std::multimap<Number, Address>;

  static void remove(Blocks &blocks, Number number) {
    if (const auto found = blocks.find(number); found != blocks.end())
      blocks.erase(found);
  }
  /// With a number above `after`.
  static std::optional<Address> firstIn(const Blocks &blocks, Number after, Number upTo) {
    const auto found = blocks.upper_bound(after);
    return found != blocks.end() && found->first <= upTo ? std::optional(found->second)
                                                         : std::nullopt;
  }
  Number last_ = 0;
  std::vector<Number> coveredPuts_, coveredInvalidates_; ///< By holder.
  std::vector<Blocks> puts_;                             ///< By holder.
  std::vector<std::vector<Blocks>> invalidates_;         ///< By holder and target.
};

} // namespace ompdsm::sim
