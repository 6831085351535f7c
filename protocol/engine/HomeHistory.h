// HomeHistory.h: which units (HomeMap.h) a home gives to a node that changes them while it does not
// itself. Under the engine's lock.
//
// Whoever changes a unit alone should be its home, and where several do, as where their parts of an
// array meet in a page, one of them: the lowest. But a field that is transposed back and forth has
// another writer after each barrier, and would travel twice instead of once. So a node must have
// been the heir in `patience` epochs in a row of those in which anybody wrote; after each move from
// here, and each that could not be as the heir did not hold all of the unit, it takes twice as
// many. What nobody has used before moves at once: it is first touch. A unit that is always left at
// its home costs messages, and is never wrong.
#pragma once
#include "protocol/core/BarrierRules.h"
#include "protocol/engine/AddressHash.h"
#include <algorithm>
#include <cstdint>
#include <tsl/robin_map.h>
#include <tsl/robin_set.h>
#include <utility>
#include <vector>

namespace ompdsm {

class HomeHistory {
public:
  /// `patience` in epochs, at least 1; 0: nothing moves, and nothing is noted.
  HomeHistory(NodeId self, unsigned patience) : self_(self), patience_(patience) {}

  bool isKept() const { return patience_ != 0; }
  /// Whether it matters if a unit was used before.
  bool wantsFirstTouch() const { return patience_ > 1; }
  /// A unit moves at once if only other nodes change it in this epoch.
  void noteUnused(Address unit) { unused_.insert(unit); }
  void noteWriter(Address unit, NodeId writer) {
    auto [entry, added] = writers_.try_emplace(unit, writer);
    if (!added)
      entry.value() = joinWriters(entry->second, writer, self_);
  }
  /// The same of the next epoch: the writer has left the barrier that this node is still in.
  void noteEarlyWriter(Address unit, NodeId writer) {
    if (early_.empty() || early_.back() != std::pair(unit, writer))
      early_.emplace_back(unit, writer);
  }
  /// `heir` shall get the unit as if it had changed it in this epoch.
  void propose(Address unit, NodeId heir) {
    noteWriter(unit, heir);
    noteUnused(unit);
  }

  struct Candidate {
    Address unit = 0;
    NodeId heir = 0;
  };
  /// Ascending.
  std::vector<Candidate> candidates() const {
    std::vector<Candidate> all;
    for (const auto &[unit, writer] : writers_)
      if (mayMove(unit, writer))
        all.push_back({unit, writer});
    std::sort(all.begin(), all.end(),
              [](const Candidate &a, const Candidate &b) { return a.unit < b.unit; });
    return all;
  }
  bool hasCandidates() const {
    return std::any_of(writers_.begin(), writers_.end(),
                       [&](const auto &entry) { return mayMove(entry.first, entry.second); });
  }

  void noteMoved(Address unit) {
    beMorePatient(unit);
    unused_.erase(unit);
  }
  /// A candidate could not move. What two nodes touch first is held by none of them.
  void noteStayed(Address unit) {
    if (unused_.erase(unit) == 0)
      beMorePatient(unit);
  }
  /// A barrier ends.
  void endEpoch() {
    for (const auto &[unit, writer] : writers_) {
      unused_.erase(unit);
      remember(unit, isHeir(writer, self_) ? writer : kNoHeir);
    }
    forgetWriters();
    for (const auto &[unit, writer] : early_)
      noteWriter(unit, writer);
    early_.clear();
  }

private:
  static constexpr NodeId kNoHeir = kUnitStays;
  static constexpr unsigned kMostPatience = 64;
  struct Past {
    NodeId writer = kNoHeir; ///< The heir since `epochs` epochs.
    unsigned epochs = 0, needed = 0;
  };

  /// To look through a table takes as long as it is large, and every barrier does so, thrice: one
  /// that has grown while the program filled its arrays is not kept for a few units.
  void forgetWriters() {
    constexpr std::size_t kFew = 16, kSmallTable = 256;
    if (writers_.bucket_count() > kSmallTable && writers_.size() * kFew < writers_.bucket_count())
      writers_ = {};
    else
      writers_.clear();
  }

  void beMorePatient(Address unit) {
    Past &past = pasts_.try_emplace(unit, Past{kNoHeir, 0, patience_}).first.value();
    past = {kNoHeir, 0, std::min(2 * past.needed, kMostPatience)};
    writers_.erase(unit);
  }
  bool mayMove(Address unit, NodeId writer) const {
    if (!isHeir(writer, self_))
      return false;
    if (unused_.contains(unit))
      return true;
    const auto past = pasts_.find(unit);
    const bool isKnown = past != pasts_.end();
    const unsigned before = isKnown && past->second.writer == writer ? past->second.epochs : 0;
    return before + 1 >= (isKnown ? past->second.needed : patience_);
  }
  void remember(Address unit, NodeId writer) {
    auto found = pasts_.find(unit);
    if (found == pasts_.end()) {
      if (writer != kNoHeir && patience_ > 1)
        pasts_.emplace(unit, Past{writer, 1, patience_});
    } else if (Past &past = found.value(); writer != kNoHeir) {
      past = {writer, past.writer == writer ? past.epochs + 1 : 1, past.needed};
    } else if (past.needed == patience_) {
      pasts_.erase(found);
    } else {
      past = {kNoHeir, 0, past.needed};
    }
  }

  const NodeId self_;
  const unsigned patience_;
  tsl::robin_map<Address, NodeId, AddressHash> writers_; ///< Of this epoch (joinWriters).
  std::vector<std::pair<Address, NodeId>> early_; ///< Of the next epoch; nobody is further ahead.
  tsl::robin_set<Address, AddressHash> unused_;   ///< Until somebody changes them.
  tsl::robin_map<Address, Past, AddressHash>
      pasts_; ///< Of units with another writer, or that have moved.
};

} // namespace ompdsm
