// CacheTable.h: the protocol of a node that caches a block whose home is elsewhere.
//
// Sources: Keleher et al., TreadMarks (twins and diffs); Zhou, Iftode, Li, "Performance evaluation
// of two home-based lazy release consistency protocols" (home-based flushing); ARCHITECTURE section
// 5, traps 1, 2, 5, 8 and 9.
#pragma once
#include "TransitionTable.h"

namespace ompdsm {

inline constexpr BlockState kCacheStates[] = {
    BlockState::Invalid, BlockState::Clean,     BlockState::Dirty,   BlockState::Closing,
    BlockState::Stale,   BlockState::Invalid_D, BlockState::Stale_D, BlockState::Whole,
    BlockState::Unread,  BlockState::Summed};
inline constexpr Event kCacheEvents[] = {Event::ReadMiss,
                                         Event::WriteMiss,
                                         Event::WriteMissUntracked,
                                         Event::WriteMissWhole,
                                         Event::Prefetch,
                                         Event::Data,
                                         Event::DataForWrite,
                                         Event::DataWatched,
                                         Event::Invalidate,
                                         Event::Update,
                                         Event::Refresh,
                                         Event::Discard,
                                         Event::UpdateWatched,
                                         Event::FlushChanged,
                                         Event::FlushChangedQuiet,
                                         Event::FlushSame,
                                         Event::FlushSameQuiet,
                                         Event::FlushAway,
                                         Event::FlushAwayQuiet,
                                         Event::FlushWatchedQuiet,
                                         Event::Sum,
                                         Event::Evict,
                                         Event::Adopt};

namespace cache_rows {
using enum BlockState;
using enum Action;

inline constexpr TransitionTable::Row kCacheRows[] = {
    // A thread reads. (A state that allows it by now, reached between the check and the lock, is no
    // miss.)
    {Invalid, Event::ReadMiss, Invalid_D, {RequestData, AwaitData}},
    {Stale, Event::ReadMiss, Stale_D, {RequestData, AwaitData}},
    {Invalid_D, Event::ReadMiss, Invalid_D, {AwaitData}},
    {Stale_D, Event::ReadMiss, Stale_D, {AwaitData}},
    // A thread writes. W is given only over valid contents, and an invalidation takes R and W
    // together, so a writer after another node's release always merges first (trap 1).
    {Invalid, Event::WriteMiss, Invalid_D, {RequestData, AwaitDataForWrite}},
    {Clean, Event::WriteMiss, Dirty, {MakeTwin}},
    {Closing, Event::WriteMiss, Dirty, {}},
    {Stale, Event::WriteMiss, Stale_D, {RequestData, AwaitDataForWrite}},
    {Invalid_D, Event::WriteMiss, Invalid_D, {AwaitDataForWrite}},
    {Stale_D, Event::WriteMiss, Stale_D, {AwaitDataForWrite}},
    // Spill slots, finished frames and library buffers change at the home without anybody being
    // told, so a copy may be valid for all that the program reads and yet no base for a twin: a
    // store of the value that the copy happens to hold would not be found. The contents are fetched
    // anew. And they may be what other sharers lack: the release tells the home even if nothing
    // differs from them.
    {Invalid, Event::WriteMissUntracked, Invalid_D, {RequestData, AwaitDataForWrite, DistrustTwin}},
    {Clean, Event::WriteMissUntracked, Invalid_D, {RequestData, AwaitDataForWrite, DistrustTwin}},
    {Unread, Event::WriteMissUntracked, Invalid_D, {RequestData, AwaitDataForWrite, DistrustTwin}},
    {Closing, Event::WriteMissUntracked, Stale_D, {RequestData, AwaitDataForWrite, DistrustTwin}},
    {Stale, Event::WriteMissUntracked, Stale_D, {RequestData, AwaitDataForWrite, DistrustTwin}},
    {Invalid_D, Event::WriteMissUntracked, Invalid_D, {AwaitDataForWrite, DistrustTwin}},
    {Stale_D, Event::WriteMissUntracked, Stale_D, {AwaitDataForWrite, DistrustTwin}},
    // A block that will be overwritten whole needs no contents, and as every byte is its writer's
    // no twin: an invalidation can only be of a write before this one, or of a race.
    {Invalid, Event::WriteMissWhole, Whole, {Enlist}},
    {Clean, Event::WriteMissWhole, Whole, {Enlist}},
    {Whole, Event::Invalidate, Whole, {}},
    // Another thread's release may come before all is stored. Then what it sends are bytes that
    // nobody may read yet, and the rest is found against the twin.
    {Whole, Event::FlushChanged, Closing, {SendWhole, KeepSnapshot, StampGrace}},
    {Whole, Event::FlushChangedQuiet, Clean, {SendWhole}},
    // A copy that only other nodes will read ends as its contents leave: the home is told with
    // these. Who still holds a permission finds what an invalidation leaves.
    {Whole, Event::FlushAway, Stale, {SendAway, KeepSnapshot, StampGrace}},
    {Whole, Event::FlushAwayQuiet, Invalid, {SendAway}},
    {Whole, Event::FlushWatchedQuiet, Unread, {SendWhole}},
    // Fetch ahead: only where there is nothing.
    {Invalid, Event::Prefetch, Invalid_D, {RequestData}},
    // The contents arrive. A waiting writer gets W here and now, so that it cannot starve.
    {Invalid_D, Event::Data, Clean, {ApplyData, WakeWaiters}},
    {Stale_D, Event::Data, Closing, {MergeData, WakeWaiters}},
    {Invalid_D, Event::DataWatched, Unread, {ApplyData, WakeWaiters}},
    {Invalid_D, Event::DataForWrite, Dirty, {ApplyData, MakeTwin, WakeWaiters}},
    {Stale_D, Event::DataForWrite, Dirty, {MergeData, WakeWaiters}},
    // Stale: both permissions go at once; what late writers still store is found against the twin
    // (trap 2). While waiting for Data, an invalidation is about an older copy: the home sent it
    // before it answered, and the channel is ordered (trap 4).
    {Invalid, Event::Invalidate, Invalid, {}},
    {Clean, Event::Invalidate, Invalid, {}},
    {Dirty, Event::Invalidate, Stale, {StampGrace}},
    {Closing, Event::Invalidate, Stale, {}},
    {Stale, Event::Invalidate, Stale, {}},
    {Invalid_D, Event::Invalidate, Invalid_D, {}},
    {Stale_D, Event::Invalidate, Stale_D, {}},
    // What others have changed comes by itself, to a copy that the home knows to be valid. Exactly
    // their bytes are written, in the twin too: a store of an old value over them is found
    // (trap 1). Where the home took the copy for valid and it is not any more, or is asked for
    // again, what
    // comes later has these bytes.
    {Clean, Event::Update, Clean, {ApplyPut}},
    {Dirty, Event::Update, Dirty, {ApplyPut}},
    {Closing, Event::Update, Closing, {ApplyPut}},
    {Unread, Event::Update, Unread, {ApplyPut}},
    {Invalid, Event::Update, Invalid, {}},
    {Stale, Event::Update, Stale, {}},
    {Invalid_D, Event::Update, Invalid_D, {}},
    {Stale_D, Event::Update, Stale_D, {}},
    {Whole, Event::Update, Whole, {}},
    // All of the contents, for a copy that nobody here has written, or where there is none: what a
    // fetch would bring.
    {Invalid, Event::Refresh, Clean, {ApplyPut}},
    {Clean, Event::Refresh, Clean, {ApplyPut}},
    {Unread, Event::Refresh, Unread, {ApplyPut}},
    // Any other copy ends, as by an invalidation. The home takes its node for a sharer, and is
    // told: behind the Puts that may have crossed, and before the node fetches again. Who has
    // asked, or puts all of it, will be one.
    {Clean, Event::Discard, Invalid, {SendLeave}},
    {Dirty, Event::Discard, Stale, {StampGrace, SendLeave}},
    {Closing, Event::Discard, Stale, {SendLeave}},
    {Unread, Event::Discard, Invalid, {SendLeave}},
    {Invalid, Event::Discard, Invalid, {SendLeave}},
    {Stale, Event::Discard, Stale, {SendLeave}},
    {Invalid_D, Event::Discard, Invalid_D, {}},
    {Stale_D, Event::Discard, Stale_D, {}},
    {Whole, Event::Discard, Whole, {}},
    // An access to a valid copy leaves no trace, so a watched one is closed until it is read.
    {Clean, Event::UpdateWatched, Unread, {ApplyPut}},
    {Invalid, Event::UpdateWatched, Unread, {ApplyPut}},
    {Unread, Event::ReadMiss, Clean, {}},
    {Unread, Event::WriteMiss, Dirty, {MakeTwin}},
    {Unread, Event::WriteMissWhole, Whole, {Enlist}},
    {Unread, Event::Invalidate, Invalid, {}},
    // A release. The twin stays until no thread can hold W any more (trap 2), and until a fetch has
    // ended, which a release waits for if it has something to send (trap 8).
    {Dirty, Event::FlushChanged, Closing, {SendPut, RenewTwin, StampGrace}},
    {Closing, Event::FlushChanged, Closing, {SendPut, RenewTwin}},
    {Stale, Event::FlushChanged, Stale, {SendPut, RenewTwin}},
    {Stale_D, Event::FlushChanged, Stale_D, {Postpone}},
    {Dirty, Event::FlushChangedQuiet, Clean, {SendPut, DropTwin}},
    {Closing, Event::FlushChangedQuiet, Clean, {SendPut, DropTwin}},
    {Stale, Event::FlushChangedQuiet, Invalid, {SendPut, DropTwin}},
    {Stale_D, Event::FlushChangedQuiet, Stale_D, {Postpone}},
    {Dirty, Event::FlushSame, Closing, {StampGrace}},
    {Closing, Event::FlushSame, Closing, {}},
    {Stale, Event::FlushSame, Stale, {}},
    {Stale_D, Event::FlushSame, Stale_D, {}},
    {Dirty, Event::FlushSameQuiet, Clean, {DropTwin}},
    {Closing, Event::FlushSameQuiet, Clean, {DropTwin}},
    {Stale, Event::FlushSameQuiet, Invalid, {DropTwin}},
    {Stale_D, Event::FlushSameQuiet, Stale_D, {}},
    // Additions from here are kept beside the block and leave at the next release, or before
    // whatever else the node does there: all of them go to the home as one change. A thread that
    // was about to add when the state ended finds that, and sends its own (isSettled).
    {Invalid, Event::Sum, Summed, {Enlist}},
    {Clean, Event::Sum, Summed, {SendLeave, Enlist}}, // the sums may come to nothing
    {Summed, Event::ReadMiss, Invalid_D, {SendSums, RequestData, AwaitData}},
    {Summed, Event::WriteMiss, Invalid_D, {SendSums, RequestData, AwaitDataForWrite}},
    {Summed, Event::FlushChanged, Invalid, {SendSums}},
    {Summed, Event::Invalidate, Summed, {}},
    {Summed, Event::Update, Summed, {}},
    {Summed, Event::Discard, Summed, {SendLeave}},
    // The copy is given up (Eviction.h). What others do to the block from now on, this node need
    // not hear; an invalidation that is under way finds nothing.
    {Clean, Event::Evict, Invalid, {SendLeave}},
    {Unread, Event::Evict, Invalid, {SendLeave}},
    // The page's home moves here, at a barrier; the home chose this node because it is a sharer.
    {Clean, Event::Adopt, Exclusive, {}},
    {Unread, Event::Adopt, Exclusive, {}},
};
inline constexpr std::pair<BlockState, Event> kCacheImpossible[] = {
    // What allows an access does not miss.
    {Clean, Event::ReadMiss},
    {Dirty, Event::ReadMiss},
    {Closing, Event::ReadMiss},
    {Dirty, Event::WriteMiss},
    {Dirty, Event::WriteMissUntracked},
    {Whole, Event::ReadMiss},
    {Whole, Event::WriteMiss},
    {Whole, Event::WriteMissUntracked},
    {Whole, Event::WriteMissWhole},
    {Dirty, Event::WriteMissWhole},
    // Others are invalidated (Classify.h).
    {Dirty, Event::Refresh},
    {Closing, Event::Refresh},
    {Stale, Event::Refresh},
    {Invalid_D, Event::Refresh},
    {Stale_D, Event::Refresh},
    {Whole, Event::Refresh},
    // Nothing else is closed to be watched (Classify.h).
    {Dirty, Event::UpdateWatched},
    {Closing, Event::UpdateWatched},
    {Stale, Event::UpdateWatched},
    {Invalid_D, Event::UpdateWatched},
    {Stale_D, Event::UpdateWatched},
    {Whole, Event::UpdateWatched},
    {Unread, Event::UpdateWatched},
    // Where there is a twin, or will be, overwriting is writing (Classify.h).
    {Closing, Event::WriteMissWhole},
    {Stale, Event::WriteMissWhole},
    {Invalid_D, Event::WriteMissWhole},
    {Stale_D, Event::WriteMissWhole},
    // Only invalid blocks are fetched ahead.
    {Whole, Event::Prefetch},
    {Unread, Event::Prefetch},
    {Clean, Event::Prefetch},
    {Dirty, Event::Prefetch},
    {Closing, Event::Prefetch},
    {Stale, Event::Prefetch},
    {Invalid_D, Event::Prefetch},
    {Stale_D, Event::Prefetch},
    // Data only answers a request.
    {Whole, Event::Data},
    {Whole, Event::DataForWrite},
    {Whole, Event::DataWatched},
    {Invalid, Event::Data},
    {Clean, Event::Data},
    {Unread, Event::Data},
    {Dirty, Event::Data},
    {Closing, Event::Data},
    {Stale, Event::Data},
    {Invalid, Event::DataForWrite},
    {Invalid, Event::DataWatched},
    {Clean, Event::DataForWrite},
    {Clean, Event::DataWatched},
    {Unread, Event::DataForWrite},
    {Unread, Event::DataWatched},
    {Dirty, Event::DataForWrite},
    {Dirty, Event::DataWatched},
    {Closing, Event::DataForWrite},
    {Closing, Event::DataWatched},
    {Stale, Event::DataForWrite},
    {Stale, Event::DataWatched},
    {Stale_D, Event::DataWatched}, // asked for by a thread that waits
    // A block without a twin never looks unchanged.
    {Whole, Event::FlushSame},
    {Whole, Event::FlushSameQuiet},
    // Only what was overwritten whole is sent away, or watched.
    {Invalid, Event::FlushAway},
    {Clean, Event::FlushAway},
    {Dirty, Event::FlushAway},
    {Closing, Event::FlushAway},
    {Stale, Event::FlushAway},
    {Invalid_D, Event::FlushAway},
    {Stale_D, Event::FlushAway},
    {Unread, Event::FlushAway},
    {Invalid, Event::FlushAwayQuiet},
    {Clean, Event::FlushAwayQuiet},
    {Dirty, Event::FlushAwayQuiet},
    {Closing, Event::FlushAwayQuiet},
    {Stale, Event::FlushAwayQuiet},
    {Invalid_D, Event::FlushAwayQuiet},
    {Stale_D, Event::FlushAwayQuiet},
    {Unread, Event::FlushAwayQuiet},
    {Invalid, Event::FlushWatchedQuiet},
    {Clean, Event::FlushWatchedQuiet},
    {Dirty, Event::FlushWatchedQuiet},
    {Closing, Event::FlushWatchedQuiet},
    {Stale, Event::FlushWatchedQuiet},
    {Invalid_D, Event::FlushWatchedQuiet},
    {Stale_D, Event::FlushWatchedQuiet},
    {Unread, Event::FlushWatchedQuiet},
    // Only listed blocks are flushed.
    {Invalid, Event::FlushChanged},
    {Clean, Event::FlushChanged},
    {Unread, Event::FlushChanged},
    {Unread, Event::FlushChangedQuiet},
    {Unread, Event::FlushSame},
    {Unread, Event::FlushSameQuiet},
    {Invalid_D, Event::FlushChanged},
    {Invalid, Event::FlushChangedQuiet},
    {Clean, Event::FlushChangedQuiet},
    {Invalid_D, Event::FlushChangedQuiet},
    {Invalid, Event::FlushSame},
    {Clean, Event::FlushSame},
    {Invalid_D, Event::FlushSame},
    {Invalid, Event::FlushSameQuiet},
    {Clean, Event::FlushSameQuiet},
    {Invalid_D, Event::FlushSameQuiet},
    {Whole, Event::Evict},
    // Changes go before a copy is given up, and a fetch is not given up.
    {Invalid, Event::Evict},
    {Dirty, Event::Evict},
    {Closing, Event::Evict},
    {Stale, Event::Evict},
    {Invalid_D, Event::Evict},
    {Stale_D, Event::Evict},
    {Whole, Event::Adopt},
    // Of untracked bytes no sums are kept (Classify.h); who overwrites writes.
    {Summed, Event::WriteMissUntracked},
    {Summed, Event::WriteMissWhole},
    {Summed, Event::Prefetch},
    {Summed, Event::Data},
    {Summed, Event::DataForWrite},
    {Summed, Event::DataWatched},
    {Summed, Event::Refresh},
    {Summed, Event::UpdateWatched},
    {Summed, Event::FlushChangedQuiet},
    {Summed, Event::FlushSame},
    {Summed, Event::FlushSameQuiet},
    {Summed, Event::FlushAway},
    {Summed, Event::FlushAwayQuiet},
    {Summed, Event::FlushWatchedQuiet},
    {Summed, Event::Sum},
    {Summed, Event::Evict},
    {Summed, Event::Adopt},
    // What is written, or fetched to be, is changed at the home after that.
    {Dirty, Event::Sum},
    {Closing, Event::Sum},
    {Stale, Event::Sum},
    {Invalid_D, Event::Sum},
    {Stale_D, Event::Sum},
    {Whole, Event::Sum},
    {Unread, Event::Sum},
    // An heir holds every block of the page, and nobody there is about to write (BarrierRules.h).
    {Invalid, Event::Adopt},
    {Dirty, Event::Adopt},
    {Closing, Event::Adopt},
    {Stale, Event::Adopt},
    {Invalid_D, Event::Adopt},
    {Stale_D, Event::Adopt},
};
} // namespace cache_rows

inline constexpr TransitionTable kCacheTable{cache_rows::kCacheRows, cache_rows::kCacheImpossible};
static_assert(kCacheTable.isTotal(kCacheStates, kCacheEvents), "the cache table has a hole");

} // namespace ompdsm
