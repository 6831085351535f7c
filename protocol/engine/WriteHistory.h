// WriteHistory.h: which blocks a home writes in each interval. Under the engine's lock; for blocks
// of which this node is the home, and whose changes are pushed.
//
// A home that pushes a block's changes leaves it open, with a new twin, as it will write there in
// the next interval, too. Where it does not (an array that is written in one phase of several, two
// arrays in turns), the next release compares the block in vain. Then it is closed as its changes
// leave, from then on: the home's next store is a miss without a message. One in some flushes
// leaves it open again, to see if that has changed.
//
// What is expected is never wrong for a program's result, only for its speed.
#pragma once
#include "protocol/engine/BlockMarks.h"

namespace ompdsm {

class WriteHistory {
public:
  /// Whether a block is to stay open whose changes are pushed. `again`: even if it stayed so in
  /// vain the last time.
  bool onPushed(Address block, unsigned blockShift, bool again) {
    const bool stays = again || marks_.get(block, blockShift) != Mark::Closed;
    if (stays)
      marks_.set(block, blockShift, Mark::Open);
    return stays;
  }
  /// A release finds a block open that was not changed.
  void onUnchanged(Address block, unsigned blockShift) {
    if (!marks_.empty() && marks_.get(block, blockShift) == Mark::Open)
      marks_.set(block, blockShift, Mark::Closed);
  }

private:
  enum class Mark : std::uint8_t { Unknown, Open, Closed };
  BlockMarks<Mark> marks_;
};

} // namespace ompdsm
