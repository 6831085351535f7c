// ByteMasks.h: which bytes of a line changed, as a 64-bit mask, and copies of just these bytes.
//
// Whatever is written to memory here is written byte-exactly (guarantee G1): a byte outside the
// mask is never stored to, not even with its own value. There are two implementations, as every
// pushed line passes three of these functions: with the masks of AVX-512 a line is one instruction
// each, where runs of changed bytes, of which doubles have eight in a line, take some 40 ns.
#pragma once
#include "protocol/core/Types.h"
#include "protocol/engine/StateTable.h"
#include <cstddef>
#include <cstdint>

namespace ompdsm {

/// Bit i: byte i of the line.
using LineMask = std::uint64_t;
inline constexpr LineMask kWholeLine = ~LineMask(0);

struct ByteMaskOperations {
  LineMask (*differing)(const std::byte *a, const std::byte *b);
  void (*copy)(std::byte *target, const std::byte *source, LineMask mask);
  std::size_t (*pack)(std::byte *packed, const std::byte *line, LineMask mask);
  std::size_t (*unpack)(std::byte *line, const std::byte *packed, LineMask mask);
};
/// For any processor.
const ByteMaskOperations &portableByteMasks();
/// Null where the processor cannot (AVX-512 BW and VBMI2 are needed).
const ByteMaskOperations *avx512ByteMasks();
/// The fastest of this processor.
inline const ByteMaskOperations &byteMasks() {
  // Not a global: the runtime starts while globals are still made.
  static const ByteMaskOperations operations =
      avx512ByteMasks() ? *avx512ByteMasks() : portableByteMasks();
  return operations;
}

/// Bytes in which two lines differ.
inline LineMask differingBytes(const std::byte *a, const std::byte *b) {
  return byteMasks().differing(a, b);
}
/// Copies the bytes of `mask` from `source` to `target`; both are lines.
inline void copyMasked(std::byte *target, const std::byte *source, LineMask mask) {
  byteMasks().copy(target, source, mask);
}
/// Appends the bytes of `mask`, ascending, to `packed`; returns how many.
inline std::size_t packMasked(std::byte *packed, const std::byte *line, LineMask mask) {
  return byteMasks().pack(packed, line, mask);
}
/// Writes packed bytes to the bytes of `mask`; returns how many were used.
inline std::size_t unpackMasked(std::byte *line, const std::byte *packed, LineMask mask) {
  return byteMasks().unpack(line, packed, mask);
}

} // namespace ompdsm
