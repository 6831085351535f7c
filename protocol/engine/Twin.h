// Twin.h: twins of blocks, and how blocks are copied and merged under the program's threads.
//
// Threads of the program may store to the block while these functions read it: what they read of a
// byte under concurrent modification is found again at the next release, because the twin is
// renewed from the same snapshot that the changes were taken from.
#pragma once
#include "protocol/engine/ByteMasks.h"
#include <cstddef>
#include <memory>
#include <new>

namespace ompdsm {

/// Copies a block that threads may be writing to (one read of each byte).
void snapshot(std::byte *target, const std::byte *block, std::size_t bytes);

/// Whether all bytes of a block are zero.
bool isZero(const std::byte *block, std::size_t bytes);

/// Writes the contents of a block that threads may be reading, but none writing.
void overwrite(std::byte *block, const std::byte *fresh, std::size_t bytes);

/// For each byte in which `fresh` differs from `twin`: memory := twin := fresh (trap 5).
void mergeUnderWriters(std::byte *memory, std::byte *twin, const std::byte *fresh,
                       std::size_t bytes);

/// Buffers for twins, with a list of free ones for each block size: those of an interval are mostly
/// as many as those of the one before. What is more than the lists keep goes back to the allocator.
/// Not thread safe: under the engine's lock.
class TwinPool {
public:
  static constexpr std::size_t kMostBytesKept = std::size_t(64) << 20;

  TwinPool() = default;
  TwinPool(const TwinPool &) = delete;
  TwinPool &operator=(const TwinPool &) = delete;
  ~TwinPool();
  std::byte *acquire(unsigned blockShift);
  void release(std::byte *twin, unsigned blockShift);
  std::size_t bytesKept() const { return bytesKept_; }

private:
  static constexpr unsigned kMaxShift = 16;
  static constexpr std::align_val_t kAlignment{kLineBytes};
  /// Lies in the free twin itself.
  struct FreeTwin {
    FreeTwin *next;
  };
  std::byte *takeFree(unsigned blockShift);

  FreeTwin *free_[kMaxShift + 1] = {};
  std::size_t bytesKept_ = 0;
};

} // namespace ompdsm
