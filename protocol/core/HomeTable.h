// HomeTable.h: the protocol of a block at its home.
//
// Source: ARCHITECTURE section 5 (home effect: a block without sharers is not tracked at all),
// traps 3, 6 and 7. Two rules came of building it: a home that serves a block in which it has
// unreleased writes must tell that sharer at its next release even if the bytes are back at the
// twin's values (NoteServed), and a twin made over bytes that uninstrumented code may have written
// since the sharers fetched does not show what they lack (DistrustTwin).
#pragma once
#include "TransitionTable.h"

namespace ompdsm {

inline constexpr BlockState kHomeStates[] = {
    BlockState::Exclusive, BlockState::Shared,   BlockState::HomeDirty, BlockState::HomeClosing,
    BlockState::HomeWhole, BlockState::HomeBare, BlockState::HomeServed};
inline constexpr Event kHomeEvents[] = {Event::ReadMiss,
                                        Event::WriteMiss,
                                        Event::WriteMissUntracked,
                                        Event::WriteMissWhole,
                                        Event::WriteMissBare,
                                        Event::Get,
                                        Event::GetQuiet,
                                        Event::GetUnwritten,
                                        Event::Put,
                                        Event::PutWhole,
                                        Event::PutAway,
                                        Event::Leave,
                                        Event::LeaveLast,
                                        Event::Supply,
                                        Event::AtomicUpdate,
                                        Event::AtomicUpdateKept,
                                        Event::AtomicRead,
                                        Event::FlushChanged,
                                        Event::FlushChangedQuiet,
                                        Event::FlushSame,
                                        Event::FlushSameQuiet,
                                        Event::FlushPushed,
                                        Event::FlushPushedQuiet,
                                        Event::FlushRefreshed,
                                        Event::FlushUnshared,
                                        Event::Cede,
                                        Event::Recall};

namespace home_rows {
using enum BlockState;
using enum Action;

inline constexpr TransitionTable::Row kHomeRows[] = {
    // R is always there, and a thread that loads atomically asks without a check.
    {Exclusive, Event::ReadMiss, Exclusive, {}},
    {Shared, Event::ReadMiss, Shared, {}},
    {HomeDirty, Event::ReadMiss, HomeDirty, {}},
    {HomeClosing, Event::ReadMiss, HomeClosing, {}},
    {HomeWhole, Event::ReadMiss, HomeWhole, {}},
    {HomeBare, Event::ReadMiss, HomeBare, {}},
    {HomeServed, Event::ReadMiss, HomeServed, {}},
    // A home thread writes what others hold.
    {Exclusive, Event::WriteMiss, Exclusive, {}},
    {Shared, Event::WriteMiss, HomeDirty, {MakeTwin}},
    {HomeDirty, Event::WriteMiss, HomeDirty, {}},
    {HomeClosing, Event::WriteMiss, HomeDirty, {}},
    {HomeWhole, Event::WriteMiss, HomeWhole, {}},
    {HomeBare, Event::WriteMiss, HomeBare, {}},
    // Stores from now on are found by a twin, those since the block was sent by the digest.
    {HomeServed, Event::WriteMiss, HomeDirty, {TwinForDigest}},
    {Exclusive, Event::WriteMissUntracked, Exclusive, {}},
    {Shared, Event::WriteMissUntracked, HomeDirty, {MakeTwin, DistrustTwin}},
    {HomeDirty, Event::WriteMissUntracked, HomeDirty, {}},
    {HomeClosing, Event::WriteMissUntracked, HomeDirty, {}},
    // It overwrites all of that, so no twin need show what it changes. What others change meanwhile
    // comes before, or races and is the same; what is sent to them meanwhile is sent again.
    {Shared, Event::WriteMissWhole, HomeWhole, {Enlist}},
    // It stores to most of that, as it did before: what it changes is not worth finding out. Memory
    // is the block's contents at any time, so the release sends all of it. Unlike above others may
    // change other bytes meanwhile, and are told of theirs as ever.
    {Shared, Event::WriteMissBare, HomeBare, {Enlist}},
    // A node fetches. Home threads may hold W on an exclusive block: from now on it is tracked,
    // with the bytes that were sent as its twin (trap 3).
    {Exclusive, Event::Get, HomeDirty, {MakeTwin, AddSharer, SendTwin}},
    // If none can hold W, it need not be.
    {Exclusive, Event::GetQuiet, Shared, {AddSharer, SendMemory}},
    // If those that do are not expected to store, tracking it may cost less: W ends, and of what
    // was sent there is a
    // digest. It shows whether a thread has stored that still held W, though not to which bytes.
    {Exclusive, Event::GetUnwritten, HomeServed, {AddSharer, SendMemory, KeepDigest, StampGrace}},
    {Shared, Event::Get, Shared, {AddSharer, SendMemory}},
    {HomeDirty, Event::Get, HomeDirty, {AddSharer, SendMemory, NoteServed}},
    {HomeClosing, Event::Get, HomeClosing, {AddSharer, SendMemory, NoteServed}},
    {HomeWhole, Event::Get, HomeWhole, {AddSharer, SendMemory}},
    {HomeBare, Event::Get, HomeBare, {AddSharer, SendMemory}},
    {HomeServed, Event::Get, HomeServed, {AddSharer, SendMemory, NoteServed}},
    // A node's changes. The writer stays a sharer if it was one.
    {Exclusive, Event::Put, Exclusive, {ApplyPut}},
    {Shared, Event::Put, Shared, {ApplyPut, TellOthers}},
    {HomeDirty, Event::Put, HomeDirty, {ApplyPut, TellOthers}},
    {HomeClosing, Event::Put, HomeClosing, {ApplyPut, TellOthers}},
    {HomeWhole, Event::Put, HomeWhole, {ApplyPut, TellOthers}},
    {HomeBare, Event::Put, HomeBare, {ApplyPut, TellOthers}},
    {HomeServed, Event::Put, HomeClosing, {TwinForDigest, ApplyPut, TellOthers}},
    // A block that a node overwrites whole, with or without a copy. Home threads that could store
    // there do not: any store of theirs comes before the node's, so it is released, or it would
    // race with it. So the block need not be tracked, whatever they hold.
    {Exclusive, Event::PutWhole, Shared, {ApplyPut, AddSharer}},
    {Shared, Event::PutWhole, Shared, {ApplyPut, InvalidateOthers, AddSharer}},
    {HomeDirty, Event::PutWhole, Shared, {DropTwin, ApplyPut, InvalidateOthers, AddSharer}},
    {HomeClosing, Event::PutWhole, Shared, {DropTwin, ApplyPut, InvalidateOthers, AddSharer}},
    {HomeWhole, Event::PutWhole, Shared, {ApplyPut, InvalidateOthers, AddSharer}},
    {HomeBare, Event::PutWhole, Shared, {ApplyPut, InvalidateOthers, AddSharer}},
    {HomeServed, Event::PutWhole, Shared, {DropDigest, ApplyPut, InvalidateOthers, AddSharer}},
    // The same of a node that keeps no copy: then nobody has one.
    {Exclusive, Event::PutAway, Exclusive, {ApplyPut}},
    {Shared, Event::PutAway, Exclusive, {ApplyPut, RemoveSharer, InvalidateAll}},
    {HomeDirty, Event::PutAway, Exclusive, {DropTwin, ApplyPut, RemoveSharer, InvalidateAll}},
    {HomeClosing, Event::PutAway, Exclusive, {DropTwin, ApplyPut, RemoveSharer, InvalidateAll}},
    {HomeWhole, Event::PutAway, Exclusive, {ApplyPut, RemoveSharer, InvalidateAll}},
    {HomeBare, Event::PutAway, Exclusive, {ApplyPut, RemoveSharer, InvalidateAll}},
    {HomeServed, Event::PutAway, Exclusive, {ApplyPut, RemoveSharer, InvalidateAll}},
    // A node has given up its copy; perhaps it had been told to already. With the last one a block
    // that nobody writes costs nothing again.
    {Exclusive, Event::Leave, Exclusive, {}},
    {Shared, Event::Leave, Shared, {RemoveSharer}},
    {HomeDirty, Event::Leave, HomeDirty, {RemoveSharer}},
    {HomeClosing, Event::Leave, HomeClosing, {RemoveSharer}},
    {HomeWhole, Event::Leave, HomeWhole, {RemoveSharer}},
    {HomeBare, Event::Leave, HomeBare, {RemoveSharer}},
    {HomeServed, Event::Leave, HomeServed, {RemoveSharer}},
    {Shared, Event::LeaveLast, Exclusive, {RemoveSharer}},
    // A copy that ended because nobody was expected to read it comes back whole where somebody is.
    // Only where no thread can hold W: so the block need not be tracked.
    {Exclusive, Event::Supply, Shared, {AddSharer, SendSupply}},
    {Shared, Event::Supply, Shared, {AddSharer, SendSupply}},
    // An atomic is a put by nobody: the node that asked for it has a stale copy too.
    {Exclusive, Event::AtomicUpdate, Exclusive, {ExecuteAtomic}},
    {Shared, Event::AtomicUpdate, Exclusive, {ExecuteAtomic, InvalidateAll}},
    {HomeDirty, Event::AtomicUpdate, HomeDirty, {ExecuteAtomic, InvalidateAll}},
    {HomeClosing, Event::AtomicUpdate, HomeClosing, {ExecuteAtomic, InvalidateAll}},
    {HomeWhole, Event::AtomicUpdate, HomeWhole, {ExecuteAtomic}}, // the release tells them
    {HomeBare, Event::AtomicUpdate, HomeBare, {ExecuteAtomic, InvalidateAll}},
    {HomeServed, Event::AtomicUpdate, Exclusive, {ExecuteAtomic, InvalidateAll}},
    // Whose copy has it, too, goes on reading that, and needs to be told of the others' changes
    // only.
    // If it is no sharer any more, it is about to hear that its copy has ended.
    {Exclusive, Event::AtomicUpdateKept, Exclusive, {ExecuteAtomic}},
    {Shared, Event::AtomicUpdateKept, Shared, {ExecuteAtomic, InvalidateOthers}},
    {HomeDirty, Event::AtomicUpdateKept, HomeDirty, {ExecuteAtomic, InvalidateOthers}},
    {HomeClosing, Event::AtomicUpdateKept, HomeClosing, {ExecuteAtomic, InvalidateOthers}},
    {HomeWhole, Event::AtomicUpdateKept, HomeWhole, {ExecuteAtomic}},
    {HomeBare, Event::AtomicUpdateKept, HomeBare, {ExecuteAtomic, InvalidateOthers}},
    {HomeServed,
     Event::AtomicUpdateKept,
     HomeDirty,
     {TwinForDigest, ExecuteAtomic, InvalidateOthers}},
    {Exclusive, Event::AtomicRead, Exclusive, {ExecuteAtomic}},
    {Shared, Event::AtomicRead, Shared, {ExecuteAtomic}},
    {HomeDirty, Event::AtomicRead, HomeDirty, {ExecuteAtomic}},
    {HomeClosing, Event::AtomicRead, HomeClosing, {ExecuteAtomic}},
    {HomeWhole, Event::AtomicRead, HomeWhole, {ExecuteAtomic}},
    {HomeBare, Event::AtomicRead, HomeBare, {ExecuteAtomic}},
    {HomeServed, Event::AtomicRead, HomeServed, {ExecuteAtomic}},
    // A release of the home.
    {HomeDirty, Event::FlushChanged, HomeClosing, {InvalidateAll, RenewTwin, StampGrace}},
    {HomeClosing, Event::FlushChanged, HomeClosing, {InvalidateAll, RenewTwin}},
    {HomeDirty, Event::FlushChangedQuiet, Exclusive, {InvalidateAll, DropTwin}},
    {HomeClosing, Event::FlushChangedQuiet, Exclusive, {InvalidateAll, DropTwin}},
    {HomeDirty, Event::FlushSame, HomeClosing, {StampGrace}},
    {HomeClosing, Event::FlushSame, HomeClosing, {}},
    {HomeDirty, Event::FlushSameQuiet, Shared, {DropTwin}},
    {HomeClosing, Event::FlushSameQuiet, Shared, {DropTwin}},
    // All of it, if it was overwritten. Who still stores is found against what was sent.
    {HomeWhole, Event::FlushChanged, HomeClosing, {InvalidateAll, KeepSnapshot, StampGrace}},
    {HomeWhole, Event::FlushChangedQuiet, Exclusive, {InvalidateAll}},
    {HomeWhole, Event::FlushPushed, HomeClosing, {TellAll, KeepSnapshot, StampGrace}},
    {HomeWhole, Event::FlushPushedQuiet, Shared, {TellAll}},
    {HomeWhole, Event::FlushUnshared, Exclusive, {}},
    // The same, but where others write, too, the contents are of use to who does not (Discard).
    {HomeBare, Event::FlushChanged, HomeClosing, {InvalidateAll, KeepSnapshot, StampGrace}},
    {HomeBare, Event::FlushChangedQuiet, Exclusive, {InvalidateAll}},
    {HomeBare, Event::FlushPushed, HomeClosing, {RefreshAll, KeepSnapshot, StampGrace}},
    {HomeBare, Event::FlushPushedQuiet, Shared, {RefreshAll}},
    {HomeBare, Event::FlushUnshared, Exclusive, {}},
    // Which bytes have changed nobody knows, so nobody can be sent them. Without sharers nothing
    // need be known of who still stores.
    {HomeServed, Event::FlushChanged, Exclusive, {InvalidateAll}},
    {HomeServed, Event::FlushChangedQuiet, Exclusive, {InvalidateAll}},
    {HomeServed, Event::FlushSame, HomeServed, {}},
    {HomeServed, Event::FlushSameQuiet, Shared, {DropDigest}},
    {HomeServed, Event::FlushUnshared, Exclusive, {}},
    // Who is sent what has changed stays a sharer. The block stays open, if it is expected to be
    // written again: the first release that finds nothing new closes it.
    {HomeDirty, Event::FlushPushed, HomeDirty, {TellAll, RenewTwin}},
    {HomeClosing, Event::FlushPushed, HomeClosing, {TellAll, RenewTwin}},
    {HomeDirty, Event::FlushPushedQuiet, Shared, {TellAll, DropTwin}},
    {HomeDirty, Event::FlushRefreshed, HomeDirty, {RefreshAll, RenewTwin}},
    {HomeClosing, Event::FlushRefreshed, HomeClosing, {RefreshAll, RenewTwin}},
    {HomeDirty, Event::FlushUnshared, Exclusive, {DropTwin}},
    {HomeClosing, Event::FlushUnshared, Exclusive, {DropTwin}},
    // The home moves to the heir, the only sharer that stays.
    {Shared, Event::Cede, Invalid, {InvalidateOthers}},
    // Blocks of another size begin as memory that nobody has fetched.
    {Exclusive, Event::Recall, Exclusive, {}},
    {Shared, Event::Recall, Exclusive, {InvalidateAll}},
};
inline constexpr std::pair<BlockState, Event> kHomeImpossible[] = {
    {Exclusive, Event::FlushChanged},
    {Exclusive, Event::FlushChangedQuiet},
    {Exclusive, Event::FlushSame},
    {Exclusive, Event::FlushSameQuiet},
    {Exclusive, Event::FlushUnshared},
    {Shared, Event::FlushChanged},
    {Shared, Event::FlushChangedQuiet},
    {Shared, Event::FlushSame},
    {Shared, Event::FlushSameQuiet},
    {Shared, Event::FlushUnshared},
    // There is no twin that could hide anything, and none is made over untracked bytes.
    {HomeWhole, Event::FlushSame},
    {HomeWhole, Event::FlushSameQuiet},
    {HomeWhole, Event::FlushRefreshed},
    {HomeBare, Event::FlushSame},
    {HomeBare, Event::FlushSameQuiet},
    {HomeBare, Event::FlushRefreshed},
    // Untracked bytes are written, never overwritten (Classify.h), as is what can be written
    // already or has a twin.
    {HomeWhole, Event::WriteMissUntracked},
    {HomeBare, Event::WriteMissUntracked},
    {HomeServed, Event::WriteMissUntracked},
    {Exclusive, Event::WriteMissWhole},
    {HomeDirty, Event::WriteMissWhole},
    {HomeClosing, Event::WriteMissWhole},
    {HomeWhole, Event::WriteMissWhole},
    {HomeBare, Event::WriteMissWhole},
    {HomeServed, Event::WriteMissWhole},
    {Exclusive, Event::WriteMissBare},
    {HomeDirty, Event::WriteMissBare},
    {HomeClosing, Event::WriteMissBare},
    {HomeWhole, Event::WriteMissBare},
    {HomeBare, Event::WriteMissBare},
    {HomeServed, Event::WriteMissBare},
    // Only of what nothing is tracked (classifyGet).
    {Shared, Event::GetQuiet},
    {HomeDirty, Event::GetQuiet},
    {HomeClosing, Event::GetQuiet},
    {HomeWhole, Event::GetQuiet},
    {HomeBare, Event::GetQuiet},
    {HomeServed, Event::GetQuiet},
    {Shared, Event::GetUnwritten},
    {HomeDirty, Event::GetUnwritten},
    {HomeClosing, Event::GetUnwritten},
    {HomeWhole, Event::GetUnwritten},
    {HomeBare, Event::GetUnwritten},
    {HomeServed, Event::GetUnwritten},
    {Exclusive, Event::FlushPushed},
    {Exclusive, Event::FlushPushedQuiet},
    {Shared, Event::FlushPushedQuiet},
    {HomeClosing, Event::FlushPushedQuiet},
    {Exclusive, Event::FlushRefreshed},
    {Shared, Event::FlushRefreshed},
    {Shared, Event::FlushPushed},
    {HomeServed, Event::FlushPushed},
    {HomeServed, Event::FlushPushedQuiet},
    {HomeServed, Event::FlushRefreshed},
    // Where home threads may write, the next release finds that nobody shares the block.
    {Exclusive, Event::LeaveLast},
    {HomeDirty, Event::LeaveLast},
    {HomeClosing, Event::LeaveLast},
    {HomeWhole, Event::LeaveLast},
    {HomeBare, Event::LeaveLast},
    {HomeServed, Event::LeaveLast},
    // What home threads may write is not supplied (Serving.h).
    {HomeDirty, Event::Supply},
    {HomeClosing, Event::Supply},
    {HomeWhole, Event::Supply},
    {HomeBare, Event::Supply},
    {HomeServed, Event::Supply},
    // Only pages whose blocks are all shared and flushed are ceded.
    {Exclusive, Event::Cede},
    {HomeDirty, Event::Cede},
    {HomeClosing, Event::Cede},
    {HomeWhole, Event::Cede},
    {HomeBare, Event::Cede},
    {HomeServed, Event::Cede},
    // Nor is what threads of the home may write recalled.
    {HomeDirty, Event::Recall},
    {HomeClosing, Event::Recall},
    {HomeWhole, Event::Recall},
    {HomeBare, Event::Recall},
    {HomeServed, Event::Recall},
};
} // namespace home_rows

inline constexpr TransitionTable kHomeTable{home_rows::kHomeRows, home_rows::kHomeImpossible};
static_assert(kHomeTable.isTotal(kHomeStates, kHomeEvents), "the home table has a hole");

} // namespace ompdsm
