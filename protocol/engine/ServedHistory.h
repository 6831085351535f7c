// ServedHistory.h: which blocks a home writes between sending them and its next release. Under the
// engine's lock; for blocks of which this node is the home.
//
// What a home sends while its threads may store to it needs a twin only if they do. It keeps a
// digest of each block that nobody has written so yet, which tells that somebody has, but not
// where: then all sharers forget the block, and the next time there is a twin. Where that is
// compared in vain there is a digest again.
//
// What is expected is never wrong for a program's result, only for its speed.
#pragma once
#include "protocol/engine/BlockMarks.h"

namespace ompdsm {

class ServedHistory {
public:
  bool expectsStores(Address block, unsigned blockShift) const {
    return !marks_.empty() && marks_.get(block, blockShift) == Mark::Written;
  }
  /// The digest of a block is of other contents than it has.
  void onWritten(Address block, unsigned blockShift) {
    marks_.set(block, blockShift, Mark::Written);
  }
  /// A release finds a block open that was not changed.
  void onUnchanged(Address block, unsigned blockShift) {
    if (expectsStores(block, blockShift))
      marks_.set(block, blockShift, Mark::Unknown);
  }

private:
  enum class Mark : std::uint8_t { Unknown, Written };
  BlockMarks<Mark> marks_;
};

} // namespace ompdsm
