// ChangeHistory.h: which blocks this node changes whenever they are open for writing. Under the
// engine's lock.
//
// A thread that stores into a run of blocks misses in each of them, without a message where it has
// valid contents: a lock, a look at everything, a jump that was not foreseen. Blocks that have been
// changed in the last two intervals in which they were open are opened with the one in front of
// them: keys that are put into buckets, rows that are not stored whole.
//
// What is expected is never wrong for a program's result, only for its speed.
#pragma once
#include "protocol/engine/BlockMarks.h"

namespace ompdsm {

class ChangeHistory {
public:
  /// A release has compared the block with its twin.
  void onCompared(Address block, unsigned blockShift, bool isChanged) {
    const Mark before = marks_.get(block, blockShift);
    const Mark now = !isChanged                ? Mark::Unknown
                     : before == Mark::Unknown ? Mark::Changed
                                               : Mark::Expected;
    if (now != before)
      marks_.set(block, blockShift, now);
  }
  bool expects(Address block, unsigned blockShift) const {
    return marks_.get(block, blockShift) == Mark::Expected;
  }

private:
  enum class Mark : std::uint8_t { Unknown, Changed, Expected };
  BlockMarks<Mark> marks_;
};

} // namespace ompdsm
