// GroupTable.h: the miss bits that any line of a group of lines has, as the inline checks see them
// first.
//
// The state bytes of memory that is accessed here and there need caches of their own: a line of
// them stands for 4 KiB. One of the group table stands for 128 KiB. Method: as a cache of the state
// table, or a page table of two levels.
#pragma once
#include "protocol/core/BlockState.h"
#include "protocol/core/Types.h"
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace ompdsm {

/// A view of the table whose byte for address a is base[a >> 11]. Bytes change only under the
/// engine's lock; compiled checks read them at any time: a bit that is not there allows an access,
/// one that is there says that the line's state byte is to be looked at. So a bit comes before a
/// line's state byte has it, and goes after the last line's has not: call both.
class GroupTable {
public:
  static constexpr unsigned kGroupShift = 11;
  static constexpr std::size_t kGroupBytes = std::size_t(1) << kGroupShift;

  /// Null: there is none.
  explicit GroupTable(std::byte *base) : base_(reinterpret_cast<std::uint8_t *>(base)) {}

  /// Lines of [begin, end) are about to get these miss bits.
  void beforeChange(Address begin, Address end, unsigned missBits) const {
    if (missBits == 0)
      return;
    forEachGroup(begin, end, [&](Address group) {
      const std::atomic_ref bits(base_[group]);
      bits.store(static_cast<std::uint8_t>(bits.load(std::memory_order_relaxed) | missBits),
                 std::memory_order_release);
    });
  }
  /// Lines of [begin, end) have lost miss bits, and have `missBits` now; state bytes are at
  /// states[a >> 6].
  void afterChange(Address begin, Address end, unsigned missBits,
                   const std::uint8_t *states) const {
    constexpr Address kLines = kGroupBytes / 64;
    forEachGroup(begin, end, [&](Address group) {
      unsigned joined = missBits;
      if (group << kGroupShift < begin || (group + 1) << kGroupShift > end)
        for (Address line = group * kLines; line < (group + 1) * kLines; ++line)
          joined |= states[line];
      std::atomic_ref(base_[group])
          .store(static_cast<std::uint8_t>(joined & (kReadMisses | kWriteMisses)),
                 std::memory_order_release); // as a state byte's
    });
  }

private:
  template <class Visit> void forEachGroup(Address begin, Address end, Visit &&visit) const {
    if (base_)
      for (Address group = begin >> kGroupShift; group <= (end - 1) >> kGroupShift; ++group)
        visit(group);
  }

  std::uint8_t *base_;
};

} // namespace ompdsm
