// Classify.h: all conditions of the protocol. A situation becomes an event here, before the tables
// are looked up; nothing else in the protocol decides anything.
#pragma once
#include "CacheTable.h"
#include "HomeTable.h"

namespace ompdsm {

/// What a node keeps of a block that it has overwritten whole, and sends.
enum class Keeping : std::uint8_t {
  Copy,
  Watched, ///< A copy, that is closed until it is read.
  Nothing,
};

/// What a release finds at a listed block.
struct FlushSituation {
  bool changed = false;            ///< Memory differs from the twin, or from what was served.
  bool distrusted = false;         ///< Sharers hold, or lack, bytes that the twin does not show.
  bool unshared = false;           ///< At the home: there is no sharer.
  bool quiet = false;              ///< No other thread of the node can still hold W.
  bool expected = false;           ///< At the home: a sharer is expected to read what has changed.
  bool written = true;             ///< It is expected to be written in the next interval, too.
  Keeping keeping = Keeping::Copy; ///< Of a block that was overwritten whole.
};

constexpr Event classifyFlush(BlockState state, FlushSituation s) {
  if (state == BlockState::Summed)
    return Event::FlushChanged;
  if (isHomeState(state) && s.unshared)
    return Event::FlushUnshared;
  const bool isTold = isHomeState(state) && s.expected && state != BlockState::HomeServed;
  if (isTold && s.distrusted)
    return Event::FlushRefreshed;
  if (isTold && s.changed)
    return s.quiet && (leavesWhole(state) || !s.written) ? Event::FlushPushedQuiet
                                                         : Event::FlushPushed;
  if (state == BlockState::Whole && s.keeping == Keeping::Nothing)
    return s.quiet ? Event::FlushAwayQuiet : Event::FlushAway;
  if (state == BlockState::Whole && s.keeping == Keeping::Watched && s.quiet)
    return Event::FlushWatchedQuiet;
  if (s.changed || s.distrusted)
    return s.quiet ? Event::FlushChangedQuiet : Event::FlushChanged;
  return s.quiet ? Event::FlushSameQuiet : Event::FlushSame;
}

constexpr Event classifyMiss(bool write, bool untracked = false) {
  if (!write)
    return Event::ReadMiss;
  return untracked ? Event::WriteMissUntracked : Event::WriteMiss;
}
/// A thread may store to any byte of the block. `dense`: it is expected to store to most of it.
constexpr Event classifyWrite(BlockState state, bool untracked, bool dense) {
  return dense && state == BlockState::Shared && !untracked ? Event::WriteMissBare
                                                            : classifyMiss(true, untracked);
}
/// A thread will store to every byte of the block before its next synchronisation point, and before
/// anybody else reads one. `reads`: it may itself read old bytes before.
constexpr Event classifyOverwrite(BlockState state, bool untracked, bool reads) {
  const bool needsNoTwin = state == BlockState::Shared ||
                           (!reads && (state == BlockState::Invalid || state == BlockState::Clean ||
                                       state == BlockState::Unread));
  return needsNoTwin && !untracked ? Event::WriteMissWhole : classifyMiss(true, untracked);
}
/// `quiet`: no thread of this node can hold W. `expectsStores`: those that do are expected to store
/// there before its next release. Where memory is untracked they always may, without permissions.
constexpr Event classifyGet(BlockState state, bool untracked, bool quiet, bool expectsStores) {
  if (state != BlockState::Exclusive || untracked)
    return Event::Get;
  return quiet ? Event::GetQuiet : expectsStores ? Event::Get : Event::GetUnwritten;
}
/// Whether a block can be sent to a node that has no copy and has not asked. `quiet`: no thread of
/// this node can hold W.
constexpr bool maySupply(BlockState state, bool untracked, bool quiet) {
  return !untracked && (state == BlockState::Shared || (state == BlockState::Exclusive && quiet));
}
/// `away`: the sender of a whole block keeps nothing.
constexpr Event classifyPut(bool whole, bool away) {
  return !whole ? Event::Put : away ? Event::PutAway : Event::PutWhole;
}
/// `watched`: it was asked for because a thread is expected to read it, and none waits yet.
constexpr Event classifyData(BlockState state, bool writerWaits, bool watched) {
  if (watched && state == BlockState::Invalid_D)
    return Event::DataWatched;
  return writerWaits ? Event::DataForWrite : Event::Data;
}
/// `whole`: it has all of the contents, which are of use only where this node has written nothing
/// of the block that the home did not know then. `crossed`: a Put of it was under way to the home,
/// or word that a copy was given up, for which the home takes the new one. `crossedUpdate`: so was
/// an update that the copy has (keepsUpdated), and the changes, if there are any, may lack.
constexpr Event classifyUpdate(BlockState state, bool whole, bool crossed, bool watched,
                               bool crossedUpdate = false) {
  const bool mayTake =
      state == BlockState::Invalid || state == BlockState::Clean || state == BlockState::Unread;
  if ((whole && (crossed || !mayTake)) || (state == BlockState::Clean && crossedUpdate))
    return Event::Discard;
  if (watched && (state == BlockState::Clean || (whole && state == BlockState::Invalid)))
    return Event::UpdateWatched;
  return whole ? Event::Refresh : Event::Update;
}
/// Whether the node is the only sharer of the block, as far as it knows. `said`: by the home, which
/// may have taken a copy for valid that is not any more, or is asked for again.
constexpr bool isSoleSharer(BlockState state, bool said) { return said && holdsCopy(state); }
constexpr Event classifyLeave(BlockState state, bool isLast) {
  return state == BlockState::Shared && isLast ? Event::LeaveLast : Event::Leave;
}
/// `kept`: its node has done it to its copy, too.
constexpr Event classifyAtomic(bool mayWrite, bool kept = false) {
  return !mayWrite ? Event::AtomicRead : kept ? Event::AtomicUpdateKept : Event::AtomicUpdate;
}

/// Whether the sharers of a block can be told of a Put by what it has changed. Where code without
/// checks writes, they may lack more.
constexpr bool mayForwardPut(bool untracked) { return !untracked; }
/// Whether the sharers of a block can be sent all of it although nothing that the twin shows has
/// changed. One that has written meanwhile ends its copy, of which the home hears later; but a home
/// that moves must know who holds the block. That of untracked bytes stays, and none moves in an
/// epoch in which it has changed the block itself.
constexpr bool mayRefresh(bool untracked) { return untracked; }

/// How a thread of this node does an atomic operation.
enum class AtomicWay : std::uint8_t {
  AwaitMoves,   ///< This node may have given the block away, or be about to get it: ask again then.
  InPlace,      ///< This node is the home.
  Sum,          ///< It is kept beside the block until the next release.
  AwaitFetch,   ///< What is being fetched may be older than what is to be flushed first (trap 8).
  FlushThenAsk, ///< The channel is ordered: the home applies this node's changes first.
  Ask,
  /// It is sent as a change of the block, behind what this node has changed, and the thread goes
  /// on. It is done to a copy, too, or that ends (keepsUpdated), as it lacks that; whatever is
  /// fetched then comes behind it.
  Put,
};
/// Whether it is an ordinary access of the home for which the thread has permission, so that
/// nothing need be known but the block's state.
constexpr bool isOrdinaryAccess(BlockState state, bool mayWrite) {
  return isHomeState(state) && !(missBits(state) & (mayWrite ? kWriteMisses : kReadMisses));
}
/// `isAnswered`: the thread wants to know what was there. `sums`: it does not, sums may be kept of
/// what it does, and more of that is expected.
constexpr AtomicWay classifyAtomicCall(bool homesMayMove, bool isHome, BlockState state,
                                       bool isAnswered, bool sums = false) {
  if (homesMayMove)
    return AtomicWay::AwaitMoves;
  if (isHome)
    return AtomicWay::InPlace;
  if (isFetching(state))
    return AtomicWay::AwaitFetch;
  const bool isUnwatched = state == BlockState::Invalid || state == BlockState::Clean;
  if (sums && (isUnwatched || state == BlockState::Summed))
    return AtomicWay::Sum;
  if (isListed(state))
    return isAnswered ? AtomicWay::FlushThenAsk : AtomicWay::Put;
  return isUnwatched && !isAnswered ? AtomicWay::Put : AtomicWay::Ask;
}

/// Whether a copy in `state` stays when its node updates the block at the home by an atomic
/// operation without an answer, which is done to the copy, too. Where bytes are untracked nobody is
/// told what the home makes of it.
constexpr bool keepsUpdated(BlockState state, bool untracked) {
  return state == BlockState::Clean && !untracked;
}

/// The transition of a block in `state` on `event`; not `possible` if the peers broke the protocol.
constexpr const Transition &lookUp(BlockState state, Event event) {
  return isHomeState(state) ? kHomeTable.look(state, event) : kCacheTable.look(state, event);
}

/// Whether an acquire drops the copy of a foreign area that it finds in `state`, as if the home had
/// said so. A fetch that is under way brings what is there when it is served.
constexpr bool isDroppedByAcquire(BlockState state) {
  return state == BlockState::Clean || state == BlockState::Closing;
}

/// Whether the page of a block may be given to `heir` at a barrier.
constexpr bool mayCede(BlockState state, bool heirIsSharer) {
  return state == BlockState::Shared && heirIsSharer;
}
/// Whether a home can end all copies of a block at a barrier.
constexpr bool mayRecall(BlockState state) {
  return state == BlockState::Shared || state == BlockState::Exclusive;
}

} // namespace ompdsm
