// LatestPuts.h: which of the Puts to its home was the latest about each block. Under the engine's
// lock; for blocks of which another node is the home.
//
// All of a block's contents that come unasked are of use only if the home had processed that Put
// when they left: else they bring back the bytes that it has changed (trap 8, but nobody asked).
#pragma once
#include "protocol/engine/BlockArrays.h"

namespace ompdsm {

class LatestPuts {
public:
  /// Of a Put only the low bits of the number are kept: it is under way for fewer than 2^31 others.
  /// One from before those may seem to have crossed, which costs a fetch.
  void onPut(Address block, unsigned blockShift, std::uint64_t number) {
    auto &piece = numbers_.findOrAdd(block, blockShift);
    std::uint32_t &value = piece.values[Numbers::indexOf(block, blockShift)];
    piece.used += value == kNone;
    value = std::max<std::uint32_t>(std::uint32_t(number), 1);
  }
  /// Whether it may have crossed what the home sent when it had processed so many.
  bool hasCrossed(Address block, unsigned blockShift, std::uint32_t processed) const {
    const auto *piece = numbers_.empty() ? nullptr : numbers_.find(block, blockShift);
    const std::uint32_t number = piece ? piece->values[Numbers::indexOf(block, blockShift)] : kNone;
    return number != kNone && std::int32_t(number - processed) > 0;
  }
  /// The block has another home, which counts anew. All Puts are processed.
  void onMoved(Address block, unsigned blockShift) {
    auto *piece = numbers_.find(block, blockShift);
    if (!piece)
      return;
    std::uint32_t &value = piece->values[Numbers::indexOf(block, blockShift)];
    if (value == kNone)
      return;
    value = kNone;
    if (--piece->used == 0)
      numbers_.noteUnused(block, blockShift);
  }

private:
  static constexpr std::uint32_t kNone = 0;
  using Numbers = BlockArrays<std::uint32_t>;
  Numbers numbers_;
};

} // namespace ompdsm
