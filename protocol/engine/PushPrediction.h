// PushPrediction.h: which sharers of a block are sent its changes, because they are expected to
// read them. Under the engine's lock; for blocks of which this node is the home.
//
// Who was told that its copy is stale and has fetched the block again is expected to do so the next
// time, too (Karlsson and Brorsson, "Producer-push: a protocol enhancement to page-based software
// distributed shared memory systems", ICPP 1999, for pages and barriers; here for blocks and any
// release). So a node that shares the block now, and was told before, is expected to read. At
// barriers it is as soon as it has fetched once: most of what is read behind one is read again, and
// else the first two rounds of a program would fetch everything, each block while its home
// computes.
//
// One that has not read what it was sent several times gives its copy up (UnreadUpdates.h), and one
// may overwrite the block without reading it: both disappoint, and have to fetch twice from then
// on. Who then gives a copy up again is doubted: it has to fetch some thirty times, so that a block
// that is written in many phases and read after the last one is fetched, as it would be without
// predictions, and not sent in vain.
//
// A prediction is never wrong for a program's result, only for its speed.
#pragma once
#include "protocol/engine/ParkedSharers.h"

namespace ompdsm {

class PushPrediction {
public:
  /// `expectsFirst`: at barriers, who has fetched once.
  explicit PushPrediction(bool expectsFirst) : expectsFirst_(expectsFirst) {}

  /// `again`: who was doubted is believed, too. For all blocks of a release alike, so that they are
  /// sent together.
  void onInvalidated(Address block, unsigned blockShift, NodeId sharer, bool again) {
    if (again || !doubted_.contains(block, blockShift, sharer))
      (void)told_.insert(block, blockShift, sharer);
  }
  void forget(Address block, unsigned blockShift, NodeId node) {
    told_.erase(block, blockShift, node);
    // Who cannot be remembered to have disappointed would be sent everything again and again.
    expectsFirst_ = expectsFirst_ && disappointing_.insert(block, blockShift, node);
  }
  /// `node` has given its copy up.
  void doubt(Address block, unsigned blockShift, NodeId node) {
    if (told_.contains(block, blockShift, node))
      (void)doubted_.insert(block, blockShift, node);
    forget(block, blockShift, node);
  }
  /// Of a node that is a sharer. `atBarrier`: the change comes of a barrier.
  bool expects(Address block, unsigned blockShift, NodeId sharer, bool atBarrier) const {
    return told_.contains(block, blockShift, sharer) ||
           (expectsFirst_ && atBarrier && !disappointing_.contains(block, blockShift, sharer));
  }

private:
  ParkedSharers told_;          ///< Who was told of a change of the block.
  ParkedSharers disappointing_; ///< Who was sent changes in vain, or has overwritten the block.
  ParkedSharers doubted_;       ///< Who was sent changes in vain although it had fetched twice.
  bool expectsFirst_;           ///< As long as all that disappoint are remembered.
};

} // namespace ompdsm
