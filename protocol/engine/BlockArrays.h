// BlockArrays.h: a value for each of many blocks, in arrays of neighbouring ones. Under the
// engine's lock.
//
// A step of a block looks into several such tables, and steps come to blocks mostly in their order:
// where the array of the latest block is remembered, a look is an index, not a hash.
#pragma once
#include "protocol/core/Types.h"
#include "protocol/engine/AddressHash.h"
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tsl/robin_map.h>
#include <utility>

namespace ompdsm {

/// Blocks begin with Value{}. Areas with blocks of different sizes may meet in a page: each size has
/// arrays of its own.
template <class Value, std::size_t kBlocks = 512> class BlockArrays {
public:
  static constexpr std::size_t kPieceBlocks = kBlocks;
  struct Piece {
    std::array<Value, kBlocks> values{};
    std::uint32_t used = 0; ///< How many values are not Value{}, if who sets them counts.
  };

  /// The piece of a block, in which it is at indexOf(); null if there is none. Valid until it is
  /// erased.
  Piece *find(Address block, unsigned blockShift) const {
    const Address key = keyOf(block, blockShift);
    if (key != latestKey_) {
      const auto found = pieces_.find(key);
      latestKey_ = key;
      latest_ = found == pieces_.end() ? nullptr : found->second.get();
    }
    return latest_;
  }
  /// Where the block is in the piece of the one before; null if it is in another one.
  const Value *findNear(Address block, unsigned blockShift) const {
    return latest_ && keyOf(block, blockShift) == latestKey_
               ? &latest_->values[indexOf(block, blockShift)]
               : nullptr;
  }
  Piece &findOrAdd(Address block, unsigned blockShift) {
    if (Piece *piece = find(block, blockShift))
      return *piece;
    auto &added = pieces_[latestKey_];
    added = std::make_unique<Piece>();
    latest_ = added.get();
    return *latest_;
  }
  /// Nothing is used of the block's piece. It may be used again soon: the latest ones stay.
  void noteUnused(Address block, unsigned blockShift) {
    const Address before = std::exchange(unused_[nextUnused_], keyOf(block, blockShift));
    nextUnused_ = (nextUnused_ + 1) % unused_.size();
    const auto found = pieces_.find(before);
    if (found == pieces_.end() || found->second->used != 0 || isListed(before))
      return;
    pieces_.erase(found);
    latestKey_ = kNoKey;
  }
  bool empty() const { return pieces_.empty(); }
  /// Calls visit(value, blockShift) for each value of each piece, in no order.
  template <class Visit> void forEach(Visit &&visit) {
    for (const auto &[key, piece] : pieces_)
      for (Value &value : piece->values)
        visit(value, unsigned(key & 0xff));
  }
  static std::size_t indexOf(Address block, unsigned blockShift) {
    return (block >> blockShift) % kBlocks;
  }

private:
  static constexpr Address kNoKey = ~Address(0);
  static constexpr std::size_t kMostUnused = 16;
  static Address keyOf(Address block, unsigned blockShift) {
    return (block >> blockShift) / kBlocks << 8 | blockShift;
  }

  static constexpr std::array<Address, kMostUnused> noKeys() {
    std::array<Address, kMostUnused> keys;
    keys.fill(kNoKey);
    return keys;
  }
  bool isListed(Address key) const {
    return std::find(unused_.begin(), unused_.end(), key) != unused_.end();
  }

  tsl::robin_map<Address, std::unique_ptr<Piece>, AddressHash> pieces_;
  /// In turns: keys of pieces of which nothing was used, some of them twice.
  std::array<Address, kMostUnused> unused_ = noKeys();
  std::size_t nextUnused_ = 0;
  mutable Address latestKey_ = kNoKey;
  mutable Piece *latest_ = nullptr; ///< Null: there is none with that key.
};

} // namespace ompdsm
