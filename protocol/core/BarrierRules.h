// BarrierRules.h: what a barrier over all nodes may do when, and which homes move there.
//
// 1. Each node flushes, and reports how many Puts and Invalidates it has ever sent to each other
//    (BarrierTree.h). When a node knows that all have arrived, and what they have sent to it, it
//    waits until it has processed that.
// 2. Then it has caused all the invalidations of the epoch that Puts cause, so it is done, and
//    reports again, by the same way: how many Invalidates it has sent to whom.
// 3. When a node knows that all are done, and has processed what was sent to it, it may go on.
// If all nodes reported that they are settled, nothing comes of the epoch's Puts and no home moves:
// then a node goes on after 1. All see the same. Units (HomeMap) that other nodes changed in the
// epoch, and their home did not, move to one of these if it holds all of the unit: the list travels
// with the second reports, so all nodes change their maps in step 3. So do sizes of blocks, of
// which their homes end all copies in step 2.
//
// Nothing comes of Puts, either, of which a home need tell nobody: where two nodes write one block,
// at the border of their parts of a grid, no others share it. So with an Update, of nothing if it
// has changed nothing, a home says if the receiver is the block's only sharer, and tells it if
// another fetches (BlockStep.h); the sharer forgets it with its copy. What it puts before it hears
// of the one or the other does not matter where a barrier has its second half, behind which it has
// heard: so it does if anybody has fetched in the epoch, or may still. Or if another has
// overwritten the block, which was not its sharer.
#pragma once
#include "BarrierTree.h"
#include "BlockFlush.h"
#include "PeerCounts.h"
#include <algorithm>

namespace ompdsm {

/// Whether a node is settled as it arrives: none of its units would move, and it has sent no Put
/// since it arrived last.
template <class Peers> bool isSettled(const Peers &peers, bool givesHomesAway) {
  for (const auto &peer : peers)
    if (!peer.hasAnnouncedPuts())
      return false;
  return !givesHomesAway;
}
/// Whether nothing comes of the Puts that a node has sent since it arrived last, if all promise to
/// ask nothing. `hasFetched`: since then, where there are third nodes.
template <class Peers> bool tellsNobody(const Peers &peers, bool givesHomesAway, bool hasFetched) {
  for (const auto &peer : peers)
    if (!peer.hasAnnouncedTold())
      return false;
  return !givesHomesAway && !hasFetched;
}
/// Steps 1 and 3 wait for that, where all is known that was sent here.
template <class Peers> bool hasAllThatWasSent(const Peers &peers) {
  for (const auto &peer : peers)
    if (!peer.hasAllPuts() || !peer.hasAllInvalidates())
      return false;
  return true;
}

/// Whether a node may promise with its Arrive that it asks nothing of a home until the barrier
/// ends: homes move only if all do (guarantee G4).
constexpr bool mayPromiseToAskNothing(bool othersOffline, bool requestsInFlight,
                                      bool hasUnsentChanges) {
  return othersOffline && !requestsInFlight && !hasUnsentChanges;
}
/// Whether a listed block in `state` has changes that will go to a home.
constexpr bool keepsUnsentChanges(BlockState state) {
  return isListed(state) && !isHomeState(state);
}

/// Whether a request waits: its sender has left a barrier that this node is still in. If this node
/// is done there, homes may be about to move. If not, the barrier has no second half, and Puts may
/// still be under way that the sender knows of, so what reads waits. `othersWait`: of that sender.
template <class Value>
constexpr bool mustHoldRequest(Value senderEpoch, Value completedEpoch, bool reads, bool isDone,
                               bool othersWait) {
  return senderEpoch > completedEpoch && (reads || isDone || othersWait);
}

/// Who has changed a unit in an epoch: one or two nodes. It may move to one of these, as one of two
/// whose parts meet in it holds all of it, unless its home has changed it, too, or a third node, or
/// somebody in a way that leaves no copy (kUnitStays). A copy of which its node has updated the
/// home, too (AtomicUpdateKept), may end when another's changes cross that, of which the home hears
/// later: so the unit stays if there is another.
inline constexpr NodeId kUnitStays = 0xffff;
struct Writers {
  NodeId lower = kUnitStays, higher = kUnitStays;
  bool areKept = false; ///< Of somebody's updates.

  static constexpr Writers of(NodeId writer, NodeId home, bool isKept = false) {
    return writer == home ? Writers{} : Writers{writer, writer, isKept};
  }
  constexpr void join(NodeId writer, NodeId home, bool isKept = false) {
    if (!mayMove())
      return;
    areKept |= isKept;
    const bool isKnown = writer == lower || writer == higher, arePair = lower != higher;
    if (isKnown && !(areKept && arePair))
      return;
    const bool stays = areKept || arePair || writer == home || writer == kUnitStays;
    *this = stays ? Writers{} : Writers{std::min(lower, writer), std::max(lower, writer)};
  }
  constexpr bool mayMove() const { return lower != kUnitStays; }
  /// The first who may get the unit by mayHave(heir), or kUnitStays.
  template <class MayHave> NodeId heir(MayHave mayHave) const {
    if (!mayMove() || mayHave(lower))
      return lower;
    return higher != lower && mayHave(higher) ? higher : kUnitStays;
  }
  friend constexpr bool operator==(const Writers &, const Writers &) = default;
};

/// Whether one block of a unit may move to `heir`. What the heir fetched after this node's flush is
/// tracked since, and nobody here has written it: it is flushed again before that is decided.
template <FlushPort Port> bool mayCedeBlock(Port &port, NodeId heir) {
  if (isListed(port.state()))
    (void)flushBlock(port);
  return mayCede(port.state(), port.isSharer(heir));
}

/// Whether the size of a block may change: its home ends all copies then. Blocks change their size
/// where homes move, as all have promised to ask nothing: so nobody has anything to send, or keeps
/// a twin, and when all that was sent is processed nobody holds a copy.
template <FlushPort Port> bool mayRecallBlock(Port &port) {
  if (isListed(port.state()))
    (void)flushBlock(port);
  return mayRecall(port.state());
}
/// Whether node's part of a block that was recalled is what a block of another size begins with.
template <class Record>
constexpr bool isRecalled(BlockState state, bool isHome, const Record *record) {
  return state == (isHome ? BlockState::Exclusive : BlockState::Invalid) &&
         (!record || !record->hasTwin());
}

} // namespace ompdsm
