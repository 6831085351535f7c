// WriteDensity.h: which blocks a home writes in most of their lines whenever it writes them. Under
// the engine's lock; for blocks of which this node is the home, and whose changes are pushed.
//
// Such a block needs no twin: what a comparison would leave out of its Update is not worth the
// copy, the comparison, and the masks by line on both sides (HomeBare). A block is opened so after
// two comparisons that found it dense, until another node changes it. While it is, nothing is
// compared; so in one of some intervals all blocks are opened with twins
// (BlockHistories::opensWithTwins).
//
// What is expected is never wrong for a program's result, only for its speed.
#pragma once
#include "protocol/engine/BlockMarks.h"
#include "protocol/engine/ByteMasks.h"
#include <bit>
#include <span>

namespace ompdsm {

class WriteDensity {
public:
  /// Whether changes are most of their block: seven of eight lines, and half of its bytes.
  static bool isDense(std::span<const LineMask> lines) {
    std::size_t changed = 0, bytes = 0;
    for (const LineMask mask : lines) {
      changed += mask != 0;
      bytes += std::size_t(std::popcount(mask));
    }
    return changed * 8 >= lines.size() * 7 && bytes * 2 >= lines.size() * kLineBytes;
  }
  /// A release has compared the block with its twin, and tells its sharers.
  void onChanged(Address block, unsigned blockShift, bool isDense) {
    const Mark before = marks_.get(block, blockShift);
    const Mark now = !isDense ? Mark::Unknown : before == Mark::Unknown ? Mark::Once : Mark::Dense;
    if (now != before)
      marks_.set(block, blockShift, now);
  }
  /// One has found it open and unchanged: a thread that may store there does not always.
  void onUnchanged(Address block, unsigned blockShift) {
    if (!marks_.empty() && marks_.get(block, blockShift) == Mark::Dense)
      marks_.set(block, blockShift, Mark::Once);
  }
  /// Another node has changed the block.
  void onPut(Address block, unsigned blockShift) {
    if (!marks_.empty() && marks_.get(block, blockShift) != Mark::Unknown)
      marks_.set(block, blockShift, Mark::Unknown);
  }
  bool expects(Address block, unsigned blockShift) const {
    return !marks_.empty() && marks_.get(block, blockShift) == Mark::Dense;
  }

private:
  enum class Mark : std::uint8_t { Unknown, Once, Dense };
  BlockMarks<Mark> marks_;
};

} // namespace ompdsm
