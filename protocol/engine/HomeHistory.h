// HomeHistory.h: which units (HomeMap.h) a home gives to a node that changes them while it does not
// itself. Under the engine's lock.
//
// Whoever changes a unit alone should be its home, and where two do, as where their parts of an
// array meet in a page, one of them that holds all of it. But a field that is transposed back and
// forth has another writer after each barrier, and would travel twice instead of once. So the same
// nodes must have been its writers in `patience` epochs in a row of those in which anybody wrote;
// after each move from here, and each that could not be, it takes twice as many. What nobody has
// used before moves at once: it is first touch. Where pairs of nodes write many units, as all put
// something into each part of an array, these stay with who reads them. A unit that is always left
// at its home costs messages, and is never wrong.
#pragma once
#include "protocol/core/BarrierRules.h"
#include "protocol/engine/AddressHash.h"
#include <algorithm>
#include <cstdint>
#include <tsl/robin_map.h>
#include <tsl/robin_set.h>
#include <tuple>
#include <utility>
#include <vector>

namespace ompdsm {

class HomeHistory {
public:
  /// `patience` in epochs, at least 1; 0: nothing moves, and nothing is noted. `nodes`: of the
  /// team.
  HomeHistory(NodeId self, unsigned nodes, unsigned patience)
      : self_(self), mostPairs_(kMostPairsOfNode * nodes), patience_(patience) {}

  bool isKept() const { return patience_ != 0; }
  /// Whether it matters if a unit was used before.
  bool wantsFirstTouch() const { return patience_ > 1; }
  /// A unit moves at once if only other nodes change it in this epoch.
  void noteUnused(Address unit) { unused_.insert(unit); }
  /// `isKept`: it has done the same to a copy (AtomicUpdateKept).
  void noteWriter(Address unit, NodeId writer, bool isKept = false) {
    auto [entry, added] = writers_.try_emplace(unit, Writers::of(writer, self_, isKept));
    if (added)
      return;
    entry.value().join(writer, self_, isKept);
    pairs_ += entry->second.lower != entry->second.higher;
  }
  /// The same of the next epoch: the writer has left the barrier that this node is still in.
  void noteEarlyWriter(Address unit, NodeId writer, bool isKept = false) {
    if (early_.empty() || early_.back() != std::tuple(unit, writer, isKept))
      early_.emplace_back(unit, writer, isKept);
  }
  /// A node stores to the unit and changes nothing (SilentStores.h): as if it had. From then on
  /// this counts of the home, too, which must not lose what it stores to.
  void noteSilentWriter(Address unit, NodeId writer, bool isEarly) {
    claimed_.insert(unit);
    if (isEarly)
      noteEarlyWriter(unit, writer);
    else
      noteWriter(unit, writer);
  }
  void noteOwnSilentStores(Address unit) {
    if (claimed_.contains(unit))
      noteWriter(unit, self_);
  }
  bool hasSilentWriters() const { return !claimed_.empty(); }
  /// `heir` shall get the unit as if it had changed it in this epoch.
  void propose(Address unit, NodeId heir) {
    noteWriter(unit, heir);
    noteUnused(unit);
  }

  struct Candidate {
    Address unit = 0;
    Writers writers;
  };
  /// Ascending.
  std::vector<Candidate> candidates() const {
    std::vector<Candidate> all;
    for (const auto &[unit, writers] : writers_)
      if (mayMove(unit, writers))
        all.push_back({unit, writers});
    std::sort(all.begin(), all.end(),
              [](const Candidate &a, const Candidate &b) { return a.unit < b.unit; });
    return all;
  }
  /// Whether the barrier that this node comes to must be one in which homes can move.
  bool wantsMoves() const { return missed_ != 0 || hasCandidates(); }
  bool hasCandidates() const {
    return std::any_of(writers_.begin(), writers_.end(),
                       [&](const auto &entry) { return mayMove(entry.first, entry.second); });
  }

  void noteMoved(Address unit) {
    missed_ = 0;
    beMorePatient(unit);
    offered_.erase(unit);
    unused_.erase(unit);
    claimed_.erase(unit);
  }
  /// A candidate could not move, as its writer does not hold all of it: it is one again in the next
  /// epoch. False: it was told so the last time already.
  bool noteOffered(Address unit, const Writers &writers) {
    if (!offered_.insert(unit).second)
      return false;
    missed_ = 0;
    Past &past = pasts_.try_emplace(unit, Past{{}, 0, patience_}).first.value();
    past = {writers, past.needed - 1, past.needed};
    writers_.erase(unit);
    return true;
  }
  /// A candidate could not move. What two nodes touch first, neither of them holds.
  void noteStayed(Address unit) {
    missed_ = 0;
    offered_.erase(unit);
    if (unused_.erase(unit) == 0)
      beMorePatient(unit, /*more=*/1);
  }
  /// A barrier ends.
  void endEpoch() {
    missed_ -= missed_ != 0;
    for (const auto &[unit, writers] : writers_) {
      if (mayMove(unit, writers))
        missed_ = kMostPatience;
      unused_.erase(unit);
      remember(unit, writers);
    }
    forgetWriters();
    for (const auto &[unit, writer, isKept] : early_)
      noteWriter(unit, writer, isKept);
    early_.clear();
  }

private:
  static constexpr unsigned kMostPatience = 64;
  /// Arrays that are dealt in one piece to each node have a border between two in an epoch.
  static constexpr unsigned kMostPairsOfNode = 4;
  struct Past {
    Writers writers; ///< The same since `epochs` epochs.
    unsigned epochs = 0, needed = 0;
  };

  /// To look through a table takes as long as it is large, and every barrier does so, thrice: one
  /// that has grown while the program filled its arrays is not kept for a few units.
  void forgetWriters() {
    pairs_ = 0;
    constexpr std::size_t kFew = 16, kSmallTable = 256;
    if (writers_.bucket_count() > kSmallTable && writers_.size() * kFew < writers_.bucket_count())
      writers_ = {};
    else
      writers_.clear();
  }

  /// `more`: that it is odd. Where epochs alternate at whose ends a unit can move and cannot, as
  /// the heir only adds to it in some, the next attempt is at the end of the others.
  void beMorePatient(Address unit, unsigned more = 0) {
    Past &past = pasts_.try_emplace(unit, Past{{}, 0, patience_}).first.value();
    past = {{}, 0, std::min(2 * past.needed + more, kMostPatience - more)};
    writers_.erase(unit);
  }
  bool mayMove(Address unit, const Writers &writers) const {
    if (!writers.mayMove() || (writers.lower != writers.higher && pairs_ > mostPairs_))
      return false;
    if (unused_.contains(unit))
      return true;
    const auto past = pasts_.find(unit);
    const bool isKnown = past != pasts_.end();
    const unsigned before = isKnown && past->second.writers == writers ? past->second.epochs : 0;
    return before + 1 >= (isKnown ? past->second.needed : patience_);
  }
  void remember(Address unit, const Writers &writers) {
    auto found = pasts_.find(unit);
    if (found == pasts_.end()) {
      if (writers.mayMove() && patience_ > 1)
        pasts_.emplace(unit, Past{writers, 1, patience_});
    } else if (Past &past = found.value(); writers.mayMove()) {
      past = {writers, past.writers == writers ? past.epochs + 1 : 1, past.needed};
    } else if (past.needed == patience_) {
      pasts_.erase(found);
    } else {
      past = {{}, 0, past.needed};
    }
  }

  const NodeId self_;
  const unsigned mostPairs_, patience_;
  unsigned pairs_ = 0; ///< Changes in this epoch of units that two nodes have changed.
  /// For so many epochs yet: a candidate wrote after this node had arrived at a barrier in which,
  /// for all that was known then, no home would move.
  unsigned missed_ = 0;
  tsl::robin_map<Address, Writers, AddressHash> writers_; ///< Of this epoch.
  std::vector<std::tuple<Address, NodeId, bool>>
      early_;                                    ///< Of the next epoch; nobody is further ahead.
  tsl::robin_set<Address, AddressHash> unused_;  ///< Until somebody changes them.
  tsl::robin_set<Address, AddressHash> claimed_; ///< That silent writers have told of.
  tsl::robin_set<Address, AddressHash> offered_; ///< To writers that may hold them by now.
  tsl::robin_map<Address, Past, AddressHash>
      pasts_; ///< Of units with other writers, or that have moved.
};

} // namespace ompdsm
