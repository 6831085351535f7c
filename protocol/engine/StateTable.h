// StateTable.h: the state bytes of blocks, one for each line, as the inline checks see them.
#pragma once
#include "protocol/core/BlockState.h"
#include "protocol/core/Types.h"
#include "protocol/engine/GroupTable.h"
#include "protocol/engine/MissCounts.h"
#include <atomic>

namespace ompdsm {

inline constexpr unsigned kLineShift = 6;
inline constexpr std::size_t kLineBytes = 64;

/// A view of the table whose byte for address a is base[a >> 6]. Bytes change only under the
/// engine's lock; compiled checks read them at any time.
class StateTable {
public:
  explicit StateTable(std::byte *base, std::byte *missCounts = nullptr, std::byte *groups = nullptr)
      : base_(reinterpret_cast<std::uint8_t *>(base)), counts_(missCounts), groups_(groups) {}

  BlockState stateAt(Address address) const {
    return blockStateOf(
        std::atomic_ref(base_[address >> kLineShift]).load(std::memory_order_relaxed));
  }
  /// Behind what the thread has done before (Sums.h).
  BlockState stateBehind(Address address) const {
    return blockStateOf(
        std::atomic_ref(base_[address >> kLineShift]).load(std::memory_order_seq_cst));
  }
  /// Sets all lines of [begin, end), a block, which all have the same byte. Release: pairs with the
  /// dependency of a check's access on its branch, so that a thread that sees a permission sees the
  /// contents it is for.
  void set(Address begin, Address end, BlockState state) {
    const Address first = begin >> kLineShift, last = (end + kLineBytes - 1) >> kLineShift;
    const std::uint8_t value = stateByte(state), before = base_[first];
    const int lines = static_cast<int>(last - first);
    constexpr unsigned kMisses = kReadMisses | kWriteMisses;
    counts_.beforeChange(begin, lines, before, value);
    groups_.beforeChange(begin, end, value & ~before & kMisses);
    store(first, last, value);
    if (before & ~value & kMisses)
      groups_.afterChange(begin, end, value & kMisses, base_);
    counts_.afterChange(begin, lines, before, value);
  }

private:
  /// Eight bytes at once, as far as possible: each is seen whole, and none before what it permits.
  void store(Address line, Address last, std::uint8_t value) const {
    constexpr Address kTogether = sizeof(std::uint64_t);
    const auto storeByte = [&] {
      std::atomic_ref(base_[line++]).store(value, std::memory_order_release);
    };
#if defined(__has_feature)
#if __has_feature(thread_sanitizer) // does not see what a load of one byte of several is behind
    while (line < last)
      storeByte();
#endif
#endif
    while (line < last && reinterpret_cast<Address>(base_ + line) % kTogether != 0)
      storeByte();
    for (; line + kTogether <= last; line += kTogether)
      std::atomic_ref(*reinterpret_cast<std::uint64_t *>(base_ + line))
          .store(0x0101010101010101u * value, std::memory_order_release);
    while (line < last)
      storeByte();
  }

  std::uint8_t *base_;
  MissCounts counts_;
  GroupTable groups_;
};

} // namespace ompdsm
