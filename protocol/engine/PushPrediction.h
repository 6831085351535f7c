// PushPrediction.h: which sharers of a block are sent its changes, because they are expected to
// read them. Under the engine's lock; for blocks of which this node is the home.
//
// Who was told that its copy is stale and has fetched the block again is expected to do so the next
// time, too (Karlsson and Brorsson, "Producer-push: a protocol enhancement to page-based software
// distributed shared memory systems", ICPP 1999, for pages and barriers; here for blocks and any
// release). So a node that shares the block now, and was told before, is expected to read. One that
// gives its copy up, as it does with copies that it was sent twice and has not read, or overwrites
// the block without reading it, is forgotten: it has to fetch twice again.
//
// A prediction is never wrong for a program's result, only for its speed.
#pragma once
#include "protocol/engine/ParkedSharers.h"

namespace ompdsm {

class PushPrediction {
public:
  void onInvalidated(Address block, unsigned blockShift, NodeId sharer) {
    if (told_.contains(block, blockShift, sharer))
      return;
    SharerSet told = told_.take(block, blockShift);
    told.insert(sharer);
    (void)told_.park(block, blockShift, told); // no number left: nobody is expected
  }
  void forget(Address block, unsigned blockShift, NodeId node) {
    if (!told_.contains(block, blockShift, node))
      return;
    SharerSet told = told_.take(block, blockShift);
    told.erase(node);
    if (!told.empty())
      (void)told_.park(block, blockShift, told);
  }
  /// Of a node that is a sharer.
  bool expects(Address block, unsigned blockShift, NodeId sharer) const {
    return told_.contains(block, blockShift, sharer);
  }

private:
  ParkedSharers told_; ///< Who was told of a change of the block.
};

} // namespace ompdsm
