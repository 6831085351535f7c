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
#include "protocol/engine/BlockMarks.h"

namespace ompdsm {

class OverwriteHistory {
public:
  /// What is to be kept of a block that is about to be sent. `again`: it is to be watched even if
  /// nothing was kept the last time.
  Keeping onSent(Address block, unsigned blockShift, bool again) {
    const Mark mark = marks_.get(block, blockShift);
    if (mark == Mark::Read)
      return Keeping::Copy;
    if (mark == Mark::Unread && !again)
      return Keeping::Nothing;
    marks_.set(block, blockShift, Mark::Watched);
    return Keeping::Watched;
  }
  /// A thread misses in a block, and not in order to overwrite it.
  void onMiss(Address block, unsigned blockShift) {
    if (!marks_.empty() && marks_.get(block, blockShift) != Mark::Unknown)
      marks_.set(block, blockShift, Mark::Read);
  }
  /// A copy that was closed until it is read is invalidated.
  void onUnread(Address block, unsigned blockShift) {
    if (marks_.get(block, blockShift) == Mark::Watched)
      marks_.set(block, blockShift, Mark::Unread);
  }

private:
  enum class Mark : std::uint8_t { Unknown, Watched, Read, Unread };
  BlockMarks<Mark> marks_;
};

} // namespace ompdsm
