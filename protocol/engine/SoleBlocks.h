// SoleBlocks.h: blocks that have one sharer, for all that the home has said and the sharer has
// heard (core/BarrierRules.h). Under the engine's lock.
#pragma once
#include "protocol/engine/BlockMarks.h"

namespace ompdsm {

/// One at the home, for what it has said, and one at the sharer.
class SoleBlocks {
public:
  void set(Address block, unsigned blockShift, bool isSole) {
    if (contains(block, blockShift) != isSole)
      marks_.set(block, blockShift, isSole ? Mark::Sole : Mark::Unknown);
  }
  bool contains(Address block, unsigned blockShift) const {
    return marks_.get(block, blockShift) == Mark::Sole;
  }

  /// At the home: the only sharer puts, as one that may not be that. Whether to say it now: what
  /// moves does so after fewer Puts (HomeHistory.h). `again`: even if it was said.
  bool onPut(Address block, unsigned blockShift, bool again) {
    const Mark mark = marks_.get(block, blockShift);
    if (mark != Mark::Sole)
      marks_.set(block, blockShift, Mark(unsigned(mark) + 1));
    return mark == Mark::Twice || (again && mark == Mark::Sole);
  }

private:
  enum class Mark : std::uint8_t { Unknown, Once, Twice, Sole };
  BlockMarks<Mark> marks_;
};

} // namespace ompdsm
