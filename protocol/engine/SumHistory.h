// SumHistory.h: of which blocks a node keeps sums (Sums.h): those that its threads only add to,
// again and again. Under the engine's lock.
//
// That begins with some additions in a row. Where threads of the node soon ask for the block, a
// message for each addition would have done as well, and the next time it takes twice as many.
#pragma once
#include "protocol/engine/BlockArrays.h"

namespace ompdsm {

class SumHistory {
public:
  /// In a row, before sums are kept.
  static constexpr unsigned kLeast = 8;
  /// Fewer numbers than this are few: it begins anew in the next interval.
  static constexpr std::size_t kMany = 8;

  /// A thread adds to a block of which none are kept; whether they are from now on.
  bool onAdded(Address block, unsigned blockShift) {
    Value &value = at(block, blockShift);
    const unsigned wanted = kLeast << value.doublings;
    value.additions = std::uint16_t(std::min<unsigned>(value.additions + 1u, wanted));
    return value.additions == wanted;
  }
  /// A release has sent so many numbers.
  void onReleased(Address block, unsigned blockShift, std::size_t numbers) {
    Value &value = at(block, blockShift);
    value.doublings = 0;
    value.additions = numbers < kMany ? 0 : kLeast;
  }
  /// A thread wants the block.
  void onAsked(Address block, unsigned blockShift) {
    Value &value = at(block, blockShift);
    value.doublings = std::uint8_t(std::min<unsigned>(value.doublings + 1u, kMostDoublings));
    value.additions = 0;
  }

private:
  static constexpr unsigned kMostDoublings = 12;
  struct Value {
    std::uint16_t additions = 0;
    std::uint8_t doublings = 0;
  };
  using Table = BlockArrays<Value>;
  Value &at(Address block, unsigned blockShift) {
    return values_.findOrAdd(block, blockShift).values[Table::indexOf(block, blockShift)];
  }
  Table values_;
};

} // namespace ompdsm
