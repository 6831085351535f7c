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

private:
  enum class Mark : std::uint8_t { Unknown, Sole };
  BlockMarks<Mark> marks_;
};

} // namespace ompdsm
