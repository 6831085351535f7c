// Obligations.h: what must have happened before a release or a barrier ends (guarantee G2, traps 6
// and 7): each Put is applied, and what a Put has made stale, or a home has found to be stale, is
// invalidated.
#pragma once
#include "protocol/core/Types.h"
#include <algorithm>
#include <optional>
#include <set>
#include <vector>

namespace ompdsm::sim {

class Obligations {
public:
  using Number = std::uint64_t;
  /// A Put, or an Invalidate, that `holder` has to see done; numbers grow over all nodes.
  struct Held {
    NodeId holder = 0;
    Number number = 0;
  };

  explicit Obligations(unsigned nodes) : covered_(nodes), byNode_(nodes), invalidates_(nodes) {
    for (auto &targets : invalidates_)
      targets.resize(nodes);
  }
  Number last() const { return last_; }

  Held addPut(NodeId holder) {
    byNode_[holder].insert(++last_);
    return {holder, last_};
  }
  void removePut(Held put) { byNode_[put.holder].erase(put.number); }

  Held addInvalidate(NodeId home, NodeId target) { return joinInvalidate({home, ++last_}, target); }
  /// An Invalidate that is under way is one more thing that what is held already waits for.
  Held joinInvalidate(Held held, NodeId target) {
    invalidates_[held.holder][target].insert(held.number);
    return held;
  }
  void removeInvalidate(Held held, NodeId target) {
    auto &under = invalidates_[held.holder][target];
    if (const auto found = under.find(held.number); found != under.end())
      under.erase(found);
  }

  // What a barrier waits for.
  bool hasPut(NodeId holder, Number upTo) const { return hasIn(byNode_[holder], 0, upTo); }
  bool isStaleAt(NodeId holder, NodeId target, Number upTo) const {
    return hasIn(invalidates_[holder][target], 0, upTo);
  }

  // What a release waits for: not for what a barrier covers in which all had promised to ask
  // nothing.
  void cover(NodeId holder, Number upTo) { covered_[holder] = std::max(covered_[holder], upTo); }
  bool mustApplyPut(NodeId holder, Number upTo) const {
    return hasIn(byNode_[holder], covered_[holder], upTo);
  }
  /// The node that has not processed an Invalidate.
  std::optional<NodeId> mustInvalidateAt(NodeId holder, Number upTo) const {
    for (std::size_t target = 0; target < invalidates_.size(); ++target)
      if (hasIn(invalidates_[holder][target], covered_[holder], upTo))
        return NodeId(target);
    return {};
  }

private:
  /// A number above `after`.
  template <class Set> static bool hasIn(const Set &set, Number after, Number upTo) {
    const auto found = set.upper_bound(after);
    return found != set.end() && *found <= upTo;
  }
  Number last_ = 0;
  std::vector<Number> covered_; ///< By holder.
  std::vector<std::set<Number>> byNode_;
  std::vector<std::vector<std::multiset<Number>>> invalidates_; ///< By holder and target.
};

} // namespace ompdsm::sim
