// BlockMarks.h: one of four marks for each block, in two bits, for what a node remembers of many
// blocks. Under the engine's lock.
#pragma once
#include "protocol/core/Types.h"
#include "protocol/engine/AddressHash.h"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tsl/robin_map.h>

namespace ompdsm {

/// `Mark` is an enumeration with values from 0 to 3; blocks begin with 0.
template <class Mark> class BlockMarks {
public:
  Mark get(Address block, unsigned blockShift) const {
    const auto found = chunks_.find(keyOf(block, blockShift));
    if (found == chunks_.end())
      return Mark(0);
    const Place place = placeOf(block, blockShift);
    return Mark(found->second[place.byte] >> place.shift & 3);
  }
  void set(Address block, unsigned blockShift, Mark mark) {
    auto &marks = chunks_[keyOf(block, blockShift)];
    if (!marks)
      marks = std::make_unique<std::uint8_t[]>(kChunkBytes / kMarksPerByte >> blockShift);
    const Place place = placeOf(block, blockShift);
    std::uint8_t &byte = marks[place.byte];
    byte = std::uint8_t((byte & ~(3u << place.shift)) | unsigned(mark) << place.shift);
  }
  /// Nothing was ever set.
  bool empty() const { return chunks_.empty(); }

private:
  static constexpr unsigned kChunkShift = 20, kMarksPerByte = 4;
  static constexpr std::size_t kChunkBytes = std::size_t(1) << kChunkShift;
  struct Place {
    std::size_t byte;
    unsigned shift;
  };

  /// Areas with blocks of different sizes may meet in a chunk's range.
  static Address keyOf(Address block, unsigned blockShift) {
    return (block >> kChunkShift) << 8 | blockShift;
  }
  static Place placeOf(Address block, unsigned blockShift) {
    const std::size_t index = (block & (kChunkBytes - 1)) >> blockShift;
    return {index / kMarksPerByte, unsigned(index % kMarksPerByte) * 2};
  }

  /// Marks of the blocks of a chunk.
  tsl::robin_map<Address, std::unique_ptr<std::uint8_t[]>, AddressHash> chunks_;
};

} // namespace ompdsm
