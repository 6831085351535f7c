// ByteMasks.h: which bytes of a line changed, as a 64-bit mask, and copies of just these bytes.
//
// Whatever is written to memory here is written byte-exactly (guarantee G1): a byte outside the
// mask is never stored to, not even with its own value. There are two implementations, as every
// pushed line passes three of these functions: with the masks of AVX-512 a line is one instruction
// each, where runs of changed bytes, of which doubles have eight in a line, take some 40 ns.
#pragma once
#include "protocol/core/Types.h"
#include "protocol/engine/StateTable.h"
#include "protocol/engine/UninitializedAllocator.h"
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ompdsm {

/// Bit i: byte i of the line.
using LineMask = std::uint64_t;
inline constexpr LineMask kWholeLine = ~LineMask(0);

/// Why all of a block is sent.
enum class WholeBlock : std::uint8_t {
  Overwritten, ///< So were all of its bytes.
  Away,        ///< The same, and the sender keeps no copy.
  Refreshed,   ///< Of what the receiver lacks not everything is known.
};

/// Changed bytes of a line, packed, or a run of lines of whole blocks.
struct PutLine {
  Address line;
  LineMask mask;
  const std::byte *packed; ///< As many as the mask has bits. Of a run: all of it; null: zeros.
  std::uint32_t lines;     ///< One, or of the run.
  bool whole;
  WholeBlock why; ///< If it is one.
  bool isSole;    ///< The receiver is the block's only sharer (core/BarrierRules.h).
  std::size_t bytes() const { return lines * kLineBytes; }
};
/// Of these, a message has a thousand: what is about to be filled in is left as it is.
using PutLines = std::vector<PutLine, UninitializedAllocator<PutLine>>;

inline std::size_t changedBytes(std::span<const LineMask> masks) {
  std::size_t bytes = 0;
  for (const LineMask mask : masks)
    bytes += std::size_t(std::popcount(mask));
  return bytes;
}
inline std::size_t changedBytes(std::span<const PutLine> lines) {
  std::size_t bytes = 0;
  for (const PutLine &put : lines)
    bytes += put.whole ? put.bytes() : std::size_t(std::popcount(put.mask));
  return bytes;
}

struct ByteMaskOperations {
  // One line.
  LineMask (*differing)(const std::byte *a, const std::byte *b);
  void (*copy)(std::byte *target, const std::byte *source, LineMask mask);
  std::size_t (*pack)(std::byte *packed, const std::byte *line, LineMask mask);
  std::size_t (*unpack)(std::byte *line, const std::byte *packed, LineMask mask);
  // Several adjacent ones, without a call for each.
  /// taken := memory, read once, and for each line the mask of what differs from `twin`; whether
  /// anything does.
  bool (*compare)(std::byte *taken, LineMask *masks, const std::byte *memory, const std::byte *twin,
                  std::size_t lines);
  /// Appends for each line its mask and the bytes of the mask to `target`, which has room for all
  /// of it; returns how many bytes.
  std::size_t (*packLines)(std::byte *target, const LineMask *masks, const std::byte *lines,
                           std::size_t count);
  /// Reads that back from [from, end): sets masks and places of the lines. Returns where the last
  /// one ends, null if that is beyond the end.
  const std::byte *(*readLines)(const std::byte *from, const std::byte *end,
                                std::span<PutLine> lines);
  /// Writes the lines to their places in a block.
  void (*apply)(std::byte *block, Address begin, std::span<const PutLine> lines);
};
/// For any processor.
const ByteMaskOperations &portableByteMasks();
/// Null where the processor cannot: AVX-512 BW and VBMI2 are needed (Ice Lake, Zen 4), or BW and
/// BMI2 (Skylake).
const ByteMaskOperations *vbmi2ByteMasks();
const ByteMaskOperations *avx512ByteMasks();
/// Of this processor.
const ByteMaskOperations &fastestByteMasks();
inline const ByteMaskOperations &byteMasks() {
  // Not a global: the runtime starts while globals are still made.
  static const ByteMaskOperations operations = fastestByteMasks();
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
