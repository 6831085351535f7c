// Twin.h: twins of blocks and what is found with them: the bytes of each line that changed, as a
// 64-bit mask. Everything written to memory here is written byte-exactly (guarantee G1): a byte
// outside the mask is never stored to, not even with its own value.
//
// Threads of the program may store to the block while these functions read it: what they read of a
// byte under concurrent modification is found again at the next release, because the twin is
// renewed from the same snapshot that the changes were taken from.
#pragma once
#include "protocol/core/Types.h"
#include "protocol/engine/StateTable.h"
#include <bit>
#include <cstddef>
#include <memory>
#include <new>
#include <vector>

namespace ompdsm {

/// Bit i: byte i of the line.
using LineMask = std::uint64_t;
inline constexpr LineMask kWholeLine = ~LineMask(0);

/// Bytes in which two lines differ.
LineMask differingBytes(const std::byte *a, const std::byte *b);
/// Copies the bytes of `mask` from `source` to `target`; both are lines.
void copyMasked(std::byte *target, const std::byte *source, LineMask mask);
/// Appends the bytes of `mask`, ascending, to `packed`; returns how many.
std::size_t packMasked(std::byte *packed, const std::byte *line, LineMask mask);
/// Writes packed bytes to the bytes of `mask`; returns how many were used.
std::size_t unpackMasked(std::byte *line, const std::byte *packed, LineMask mask);
/// Copies a block that threads may be writing to (one read of each byte).
void snapshot(std::byte *target, const std::byte *block, std::size_t bytes);

/// Whether all bytes of a block are zero.
bool isZero(const std::byte *block, std::size_t bytes);

/// Writes the contents of a block that threads may be reading, but none writing.
void overwrite(std::byte *block, const std::byte *fresh, std::size_t bytes);

/// For each byte in which `fresh` differs from `twin`: memory := twin := fresh (trap 5).
void mergeUnderWriters(std::byte *memory, std::byte *twin, const std::byte *fresh,
                       std::size_t bytes);

/// Fixed-size buffers for twins, one free list for each block size, grown in slabs. Not thread
/// safe: under the engine's lock.
class TwinPool {
public:
  TwinPool() = default;
  TwinPool(const TwinPool &) = delete;
  TwinPool &operator=(const TwinPool &) = delete;
  ~TwinPool();
  std::byte *acquire(unsigned blockShift);
  void release(std::byte *twin, unsigned blockShift);

private:
  static constexpr unsigned kMaxShift = 16;
  static constexpr std::size_t kSlabBytes = std::size_t(1) << 20;
  static constexpr std::align_val_t kSlabAlignment{4096};
  /// Lies in the free twin itself.
  struct FreeTwin {
    FreeTwin *next;
  };
  FreeTwin *free_[kMaxShift + 1] = {};
  std::vector<std::byte *> slabs_;
};

} // namespace ompdsm
