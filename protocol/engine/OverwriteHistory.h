// OverwriteHistory.h: what a node keeps of blocks that it overwrites whole, and sends. Under the
// engine's lock; for blocks of which another node is the home.
//
// Who overwrites a block may be the one who reads it next, or never read it, as in a transposition:
// then its copy costs a twin at the home when that writes there, and an invalidation. A read of a
// valid copy leaves no trace, so the first time the copy is closed until it is read, which costs a
// miss without a message. Was it read, it is kept from then on; was it invalidated before, nothing
// is kept from then on, until a thread reads there: which costs a fetch.
//
// A unit of which nothing is kept never moves here (BarrierRules.h). So one in some flushes keeps
// and watches what it would not: if nobody else writes there any more, the copy is overwritten
// again before it is invalidated, and is watched again.
//
// What is kept is never wrong for a program's result, only for its speed.
#pragma once
#include "protocol/core/Classify.h"
#include "protocol/engine/AddressHash.h"
#include "protocol/engine/AddressMap.h"
#include <memory>
#include <tsl/robin_map.h>

namespace ompdsm {

class OverwriteHistory {
public:
  /// What is to be kept of a block that is about to be sent. `again`: it is to be watched even if
  /// nothing was kept the last time.
  Keeping onSent(Address block, unsigned blockShift, bool again) {
    auto &marks = chunks_[keyOf(block, blockShift)];
    if (!marks)
      marks = std::make_unique<std::uint8_t[]>(kChunkBytes / kMarksPerByte >> blockShift);
    const Place place = placeOf(block, blockShift);
    const Mark mark = get(marks[place.byte], place);
    if (mark == Mark::Read)
      return Keeping::Copy;
    if (mark == Mark::Unread && !again)
      return Keeping::Nothing;
    set(marks[place.byte], place, Mark::Watched);
    return Keeping::Watched;
  }
  /// A thread misses in a block, and not in order to overwrite it.
  void onMiss(Address block, unsigned blockShift) {
    replace(block, blockShift, [](Mark mark) { return mark == Mark::Unknown ? mark : Mark::Read; });
  }
  /// A copy that was closed until it is read is invalidated.
  void onUnread(Address block, unsigned blockShift) {
    replace(block, blockShift,
            [](Mark mark) { return mark == Mark::Watched ? Mark::Unread : mark; });
  }

private:
  enum class Mark : std::uint8_t { Unknown, Watched, Read, Unread };
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
  static Mark get(std::uint8_t marks, Place place) { return Mark(marks >> place.shift & 3); }
  static void set(std::uint8_t &marks, Place place, Mark mark) {
    marks = std::uint8_t((marks & ~(3u << place.shift)) | unsigned(mark) << place.shift);
  }
  template <class Change> void replace(Address block, unsigned blockShift, Change change) {
    if (chunks_.empty())
      return;
    const auto found = chunks_.find(keyOf(block, blockShift));
    if (found == chunks_.end())
      return;
    const Place place = placeOf(block, blockShift);
    std::uint8_t &marks = found->second[place.byte];
    set(marks, place, change(get(marks, place)));
  }

  /// Marks of the blocks of a chunk, two bits each.
  tsl::robin_map<Address, std::unique_ptr<std::uint8_t[]>, AddressHash> chunks_;
};

} // namespace ompdsm
