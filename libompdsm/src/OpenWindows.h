// OpenWindows.h: pieces of memory of which a thread has found that no line misses.
//
// Nests of loops that cannot be asked for as a whole ask in front of each inner loop, mostly for
// memory next to what they have asked for just before. As long as the node revokes nothing, what
// did not miss does not.
#pragma once
#include "protocol/engine/MissCounts.h"
#include <array>

namespace ompdsm {

/// Of one thread.
class OpenWindows {
public:
  /// A window is a chunk whose misses are counted.
  static constexpr unsigned kWindowShift = MissCounts::kChunkShift;

  /// Whether no line of [first, last] has `missBit`, when the node has revoked permissions so many
  /// times (MissCounts::revocations). False says nothing.
  bool areOpen(std::uint64_t revocations, Address first, Address last, unsigned missBit) const {
    if (revocations_ != revocations || !isShort(first, last))
      return false;
    for (Address window = first >> kWindowShift; window <= last >> kWindowShift; ++window)
      if (const Entry &entry = entries_[window % entries_.size()];
          entry.window != window || entry.missBits & missBit)
        return false;
    return true;
  }
  /// For each window of [first, last] missBitsAround(address) has all miss bits of the lines that
  /// an address in it lies among, at or after that many revocations.
  template <class MissBitsAround>
  void note(std::uint64_t revocations, Address first, Address last, MissBitsAround missBitsAround) {
    if (!isShort(first, last))
      return;
    if (revocations_ != revocations)
      *this = OpenWindows(revocations);
    for (Address window = first >> kWindowShift; window <= last >> kWindowShift; ++window)
      entries_[window % entries_.size()] = {window, missBitsAround(window << kWindowShift)};
  }

  constexpr OpenWindows() = default;

private:
  explicit OpenWindows(std::uint64_t revocations) : revocations_(revocations) {}
  /// Of a few windows, in the user address space.
  static bool isShort(Address first, Address last) {
    return (last >> kWindowShift) - (first >> kWindowShift) < kMostWindows && last >> 47 == 0;
  }

  static constexpr std::size_t kMostWindows = 8;
  struct Entry {
    Address window = 0; ///< No program has memory there.
    unsigned missBits = kReadMisses | kWriteMisses;
  };
  std::uint64_t revocations_ = 0;
  std::array<Entry, 4 * kMostWindows> entries_{};
};

} // namespace ompdsm
