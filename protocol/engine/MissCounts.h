// MissCounts.h: how many lines of a piece of the address space would miss, kept up to date with the
// state table, so that a range of any length can be asked about in little time.
#pragma once
#include "protocol/core/BlockState.h"
#include "protocol/core/Types.h"
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace ompdsm {

/// A view of a table whose counts for address a are base[a >> kChunkShift]. Counts are relative to
/// what the chunk began with, so that untouched memory of other nodes, whose lines all miss, needs
/// none. They change only under the engine's lock; anyone reads them at any time. Behind the counts
/// stands how many times any lines have got a miss bit.
class MissCounts {
public:
  static constexpr unsigned kChunkShift = 16;
  static constexpr std::size_t kChunkBytes = std::size_t(1) << kChunkShift;
  static constexpr int kLinesPerChunk = 1 << (kChunkShift - 6);
  static constexpr std::size_t kEntryBytes = 2 * sizeof(std::int16_t);
  /// Of the counts of the user address space.
  static constexpr std::size_t kCountBytes = (std::size_t(1) << (47 - kChunkShift)) * kEntryBytes;
  /// With a page for that of revocations.
  static constexpr std::size_t kTableBytes = kCountBytes + 4096;

  /// Null: nothing is counted.
  explicit MissCounts(std::byte *base) : base_(reinterpret_cast<std::int16_t *>(base)) {}

  /// `lines` lines of the chunk of `address` get other miss bits. Whoever finds a count of zero may
  /// access, so a count grows before its lines' state bytes change, and shrinks after: call both.
  void beforeChange(Address address, int lines, std::uint8_t from, std::uint8_t to) const {
    if (base_ && (to & ~from & (kReadMisses | kWriteMisses))) {
      const auto count = revocationCount();
      count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }
    add(address, lines, to & ~from);
  }
  void afterChange(Address address, int lines, std::uint8_t from, std::uint8_t to) const {
    add(address, -lines, from & ~to);
  }

  /// Lines of the chunk of `address` that have `missBit`, less those that had it in the beginning.
  /// Acquire: who finds that no line misses sees their contents.
  int count(Address address, unsigned missBit) const {
    return std::atomic_ref(of(address)[missBit == kReadMisses ? 0 : 1])
        .load(std::memory_order_acquire);
  }

  /// As long as it stays the same no line gets a miss bit.
  std::uint64_t revocations() const { return revocationCount().load(std::memory_order_acquire); }

private:
  std::atomic_ref<std::uint64_t> revocationCount() const {
    return std::atomic_ref(
        *reinterpret_cast<std::uint64_t *>(reinterpret_cast<std::byte *>(base_) + kCountBytes));
  }
  std::int16_t *of(Address address) const { return base_ + (address >> kChunkShift) * 2; }
  void add(Address address, int lines, unsigned missBits) const {
    if (!base_ || !(missBits & (kReadMisses | kWriteMisses)))
      return;
    const auto change = [&](std::int16_t &count) {
      std::atomic_ref shared(count);
      shared.store(static_cast<std::int16_t>(shared.load(std::memory_order_relaxed) + lines),
                   std::memory_order_release);
    };
    if (missBits & kReadMisses)
      change(of(address)[0]);
    if (missBits & kWriteMisses)
      change(of(address)[1]);
  }

  std::int16_t *base_;
};

} // namespace ompdsm
