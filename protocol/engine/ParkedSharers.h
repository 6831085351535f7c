// ParkedSharers.h: the sharers of blocks of which nothing else is known, in two bytes for each
// block.
//
// A home that has served most of its memory knows of nearly every block who shares it, and nothing
// more; a record of its own for each would take a fifth of the memory it describes. But only few
// different sets occur, so a block has the number of its set, and the numbers lie in arrays of a
// piece of the address space each. Under the engine's lock.
#pragma once
#include "protocol/core/SharerSet.h"
#include "protocol/engine/AddressHash.h"
#include "protocol/engine/AddressMap.h"
#include <limits>
#include <memory>
#include <tsl/robin_map.h>
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
    Chunk &chunk = chunks_[keyOf(block, blockShift)];
    if (!chunk.numbers)
      chunk.numbers = std::make_unique<Number[]>(kChunkBytes >> blockShift);
    Number &slot = chunk.numbers[indexOf(block, blockShift)];
    OMPDSM_CHECK(slot == kNone);
    slot = number;
    ++chunk.used;
    ++sets_[number].blocks;
    return true;
  }
  /// The sharers of a block, which has none here afterwards; empty if it had none.
  SharerSet take(Address block, unsigned blockShift) {
    auto found = chunks_.find(keyOf(block, blockShift));
    if (found == chunks_.end())
      return {};
    Chunk &chunk = found.value();
    const Number number = std::exchange(chunk.numbers[indexOf(block, blockShift)], kNone);
    if (number == kNone)
      return {};
    if (--chunk.used == 0)
      chunks_.erase(found);
    SharerSet sharers = sets_[number].sharers;
    if (--sets_[number].blocks == 0)
      giveBack(number);
    return sharers;
  }
  /// Until the next change.
  const SharerSet &of(Address block, unsigned blockShift) const {
    auto found = chunks_.find(keyOf(block, blockShift));
    const Number number =
        found == chunks_.end() ? kNone : found->second.numbers[indexOf(block, blockShift)];
    return sets_[number].sharers;
  }
  bool contains(Address block, unsigned blockShift, NodeId node) const {
    return of(block, blockShift).contains(node);
  }

private:
  using Number = std::uint16_t;
  static constexpr Number kNone = 0; ///< The number of the empty set.
  static constexpr unsigned kChunkShift = 20;
  static constexpr std::size_t kChunkBytes = std::size_t(1) << kChunkShift;

  struct Chunk {
    std::unique_ptr<Number[]> numbers; ///< By block.
    std::uint32_t used = 0;            ///< Blocks with a set.
  };
  struct NumberedSet {
    SharerSet sharers;
    std::uint32_t blocks = 0; ///< That have this number; 0: the number is free.
  };
  struct Hash {
    std::size_t operator()(const SharerSet &sharers) const { return sharers.hash(); }
  };

  /// Areas with blocks of different sizes may meet in a chunk's range.
  static Address keyOf(Address block, unsigned blockShift) {
    return (block >> kChunkShift) << 8 | blockShift;
  }
  static std::size_t indexOf(Address block, unsigned blockShift) {
    return (block & (kChunkBytes - 1)) >> blockShift;
  }
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

  tsl::robin_map<Address, Chunk, AddressHash> chunks_;
  std::vector<NumberedSet> sets_; ///< By number.
  std::vector<Number> free_;
  tsl::robin_map<SharerSet, Number, Hash> numbers_;
};

} // namespace ompdsm
