// ParkedSharers.h: the sharers of blocks of which nothing else is known, in two bytes for each
// block.
//
// A home that has served most of its memory knows of nearly every block who shares it, and nothing
// more; a record of its own for each would take a fifth of the memory it describes. But only few
// different sets occur, so a block has the number of its set. Under the engine's lock.
#pragma once
#include "fabric/Check.h"
#include "protocol/core/SharerSet.h"
#include "protocol/engine/BlockArrays.h"
#include <limits>
#include <utility>
#include <vector>

namespace ompdsm {

class ParkedSharers {
public:
  ParkedSharers() { sets_.emplace_back(); }

  /// Takes the sharers, at least one, of a block that has none here; false if there is no number
  /// left for a set that no other block has. Then nothing changes.
  bool park(Address block, unsigned blockShift, const SharerSet &sharers) {
    const Number number = numberOf(sharers);
    if (number == kNone)
      return false;
    auto &piece = numberOfBlock_.findOrAdd(block, blockShift);
    Number &slot = piece.values[Numbers::indexOf(block, blockShift)];
    OMPDSM_CHECK(slot == kNone);
    slot = number;
    ++piece.used;
    ++sets_[number].blocks;
    return true;
  }
  /// The sharers of a block, which has none here afterwards; empty if it had none.
  SharerSet take(Address block, unsigned blockShift) {
    auto *piece = numberOfBlock_.find(block, blockShift);
    if (!piece)
      return {};
    const Number number =
        std::exchange(piece->values[Numbers::indexOf(block, blockShift)], kNone);
    if (number == kNone)
      return {};
    if (--piece->used == 0)
      numberOfBlock_.noteUnused(block, blockShift);
    SharerSet sharers = sets_[number].sharers;
    if (--sets_[number].blocks == 0)
      giveBack(number);
    return sharers;
  }
  /// Until the next change.
  const SharerSet &of(Address block, unsigned blockShift) const {
    const auto *piece = numberOfBlock_.find(block, blockShift);
    return sets_[piece ? piece->values[Numbers::indexOf(block, blockShift)] : kNone].sharers;
  }
  bool contains(Address block, unsigned blockShift, NodeId node) const {
    return of(block, blockShift).contains(node);
  }
  /// False if there is no number left for the set: then it is empty.
  bool insert(Address block, unsigned blockShift, NodeId node) {
    if (contains(block, blockShift, node))
      return true;
    SharerSet set = take(block, blockShift);
    set.insert(node);
    return park(block, blockShift, set);
  }
  void erase(Address block, unsigned blockShift, NodeId node) {
    if (!contains(block, blockShift, node))
      return;
    SharerSet set = take(block, blockShift);
    set.erase(node);
    if (!set.empty())
      (void)park(block, blockShift, set);
  }

private:
  using Number = std::uint16_t;
  static constexpr Number kNone = 0; ///< The number of the empty set.
  using Numbers = BlockArrays<Number>;

  struct NumberedSet {
    SharerSet sharers;
    std::uint32_t blocks = 0; ///< That have this number; 0: the number is free.
  };
  struct Hash {
    std::size_t operator()(const SharerSet &sharers) const { return sharers.hash(); }
  };

  Number numberOf(const SharerSet &sharers) {
    if (auto found = numbers_.find(sharers); found != numbers_.end())
      return found->second;
    Number number;
    if (!free_.empty()) {
      number = free_.back();
      free_.pop_back();
    } else if (sets_.size() <= std::numeric_limits<Number>::max()) {
      number = static_cast<Number>(sets_.size());
      sets_.emplace_back();
    } else {
      return kNone;
    }
    sets_[number].sharers = sharers;
    numbers_.emplace(sharers, number);
    return number;
  }
  void giveBack(Number number) {
    numbers_.erase(sets_[number].sharers);
    sets_[number].sharers.clear();
    free_.push_back(number);
  }

  Numbers numberOfBlock_;
  std::vector<NumberedSet> sets_; ///< By number.
  std::vector<Number> free_;
  tsl::robin_map<SharerSet, Number, Hash> numbers_;
};

} // namespace ompdsm
