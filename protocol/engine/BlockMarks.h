// BlockMarks.h: one of some marks for each block, in two bits or four, for what a node remembers of
// many blocks. Under the engine's lock.
#pragma once
#include "protocol/engine/BlockArrays.h"

namespace ompdsm {

/// `Mark` is an enumeration with values below 1 << kBits; blocks begin with 0.
template <class Mark, unsigned kBits = 2> class BlockMarks {
  static_assert(kBits == 2 || kBits == 4);

public:
  Mark get(Address block, unsigned blockShift) const {
    const auto *bytes = bytes_.find(block, blockShift + kMarksShift);
    return bytes ? Mark(bytes->values[byteOf(block, blockShift)] >> shiftOf(block, blockShift) &
                        kMask)
                 : Mark(0);
  }
  void set(Address block, unsigned blockShift, Mark mark) {
    auto &bytes = bytes_.findOrAdd(block, blockShift + kMarksShift);
    std::uint8_t &byte = bytes.values[byteOf(block, blockShift)];
    const unsigned shift = shiftOf(block, blockShift);
    byte = std::uint8_t((byte & ~(kMask << shift)) | unsigned(mark) << shift);
  }
  /// Nothing was ever set.
  bool empty() const { return bytes_.empty(); }

private:
  static constexpr unsigned kMask = (1u << kBits) - 1;
  static constexpr unsigned kMarksShift = kBits == 2 ? 2 : 1; ///< Marks in a byte, logarithm.
  using Bytes = BlockArrays<std::uint8_t>;                    ///< A value for these blocks.
  static std::size_t byteOf(Address block, unsigned blockShift) {
    return Bytes::indexOf(block, blockShift + kMarksShift);
  }
  static unsigned shiftOf(Address block, unsigned blockShift) {
    return unsigned(block >> blockShift) % (1u << kMarksShift) * kBits;
  }

  Bytes bytes_;
};

} // namespace ompdsm
