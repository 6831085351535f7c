// BlockMarks.h: one of four marks for each block, in two bits, for what a node remembers of many
// blocks. Under the engine's lock.
#pragma once
#include "protocol/engine/BlockArrays.h"

namespace ompdsm {

/// `Mark` is an enumeration with values from 0 to 3; blocks begin with 0.
template <class Mark> class BlockMarks {
public:
  Mark get(Address block, unsigned blockShift) const {
    const auto *bytes = bytes_.find(block, blockShift + kMarksShift);
    return bytes ? Mark(bytes->values[byteOf(block, blockShift)] >> shiftOf(block, blockShift) & 3)
                 : Mark(0);
  }
  void set(Address block, unsigned blockShift, Mark mark) {
    auto &bytes = bytes_.findOrAdd(block, blockShift + kMarksShift);
    std::uint8_t &byte = bytes.values[byteOf(block, blockShift)];
    const unsigned shift = shiftOf(block, blockShift);
    byte = std::uint8_t((byte & ~(3u << shift)) | unsigned(mark) << shift);
  }
  /// Nothing was ever set.
  bool empty() const { return bytes_.empty(); }

private:
  static constexpr unsigned kMarksShift = 2; ///< So many marks in a byte.
  using Bytes = BlockArrays<std::uint8_t>;   ///< A value for each four blocks.
  static std::size_t byteOf(Address block, unsigned blockShift) {
    return Bytes::indexOf(block, blockShift + kMarksShift);
  }
  static unsigned shiftOf(Address block, unsigned blockShift) {
    return unsigned(block >> blockShift) % (1u << kMarksShift) * 2;
  }

  Bytes bytes_;
};

} // namespace ompdsm
