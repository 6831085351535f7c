// TransitionTable.h: events, actions, and tables of state x event -> (actions, next state).
//
// A table is total: each pair is a transition or is declared impossible, exactly once, and the
// compiler checks it. Conditions never appear in a table; they choose the event (Classify.h).
#pragma once
#include "BlockState.h"
#include <array>
#include <utility>

namespace ompdsm {

/// What can happen to a block. "Changed": the block differs from its twin, or sharers hold bytes
/// that the twin does not show. "Quiet": no other thread of the node can still hold W on it.
enum class Event : std::uint8_t {
  ReadMiss,           ///< A thread's check asked for R.
  WriteMiss,          ///< A thread's check asked for W.
  WriteMissUntracked, ///< The same, in memory that uninstrumented code of the home writes, too.
  WriteMissWhole,     ///< A thread will store to every byte before anybody reads one.
  WriteMissBare,      ///< A thread's check asked for W, at a home that is to send all of the block.
  Prefetch,           ///< R is wanted soon, nobody waits.
  Data,               ///< The fetched contents arrived.
  DataForWrite,       ///< The same, and a thread waits for W.
  DataWatched,        ///< The same, and whether a thread reads the copy is to be noticed.
  Invalidate,         ///< The home says that the copy is stale.
  Update,             ///< The home sends bytes that others have changed, so that it stays valid.
  Refresh,            ///< The home sends all that the block has now.
  Discard,            ///< The same, and it is of no use here: a copy ends, and the home is told.
  UpdateWatched,      ///< The same, and whether a thread reads the copy is to be noticed.
  FlushChanged,       ///< A release visits a listed block.
  FlushChangedQuiet,
  FlushSame,
  FlushSameQuiet,
  FlushPushed,      ///< Changed, at the home, and at least one sharer is expected to read it.
  FlushPushedQuiet, ///< The same, and the block need not stay open: all of it is sent, or it is not
                    ///< expected to be written in the next interval.
  FlushRefreshed,   ///< The same, and the twin does not show all that is to be told.
  FlushUnshared,    ///< A release visits a listed block of this home that has no sharer.
  FlushAway,        ///< One that was overwritten whole, and that nobody here is expected to read.
  FlushAwayQuiet,
  FlushWatchedQuiet, ///< The same, but whether anybody here reads it is to be noticed.
  Sum,               ///< A thread adds to the block, and others are expected to.
  Evict,             ///< The node gives up its copy, to stay under its limit of memory.
  Get,               ///< A node asks for the contents.
  GetQuiet,     ///< The same, of a block of which nothing is tracked, and no thread can hold W.
  GetUnwritten, ///< The same, and those that do are not expected to store there before the home's
                ///< next release.
  Put,          ///< A node sends bytes that it changed.
  PutWhole,     ///< It sends a block that it has overwritten whole, and keeps the copy.
  PutAway,      ///< The same, and it keeps no copy.
  Leave,        ///< A node has given up its copy.
  LeaveLast,    ///< The same, and nobody else holds one, of a block that nobody writes.
  Supply,       ///< At a barrier: a node that has no copy is expected to read the block behind it.
  AtomicUpdate, ///< An atomic operation that may write, at the home.
  AtomicUpdateKept, ///< The same of a node that has done it to its copy, too.
  AtomicRead,       ///< One that only reads.
  Cede,             ///< At a barrier: the page's home moves from here to a sharer.
  Adopt,            ///< At a barrier: this node becomes home of a page that it holds.
  Recall,           ///< At a barrier: all copies end, as the block is about to have another size.
};
inline constexpr std::size_t kEventCount = 42;

/// What the engine does, in the order listed in the transition. The miss bits of the next state are
/// set before the actions where they take a permission away, after them where they give one.
enum class Action : std::uint8_t {
  None,
  RequestData,       ///< Ask the home for the block.
  AwaitData,         ///< The thread waits for it.
  AwaitDataForWrite, ///< The thread waits for it, and for W.
  ApplyData,         ///< Overwrite memory with the contents (no thread holds W).
  MergeData, ///< Write only the bytes that differ from the twin, and renew those of the twin (trap
             ///< 5).
  WakeWaiters,
  MakeTwin,     ///< Twin := memory, on the dirty list.
  DistrustTwin, ///< The twin, now or to come, may hide bytes that sharers lack: the next flush has
                ///< them told.
  RenewTwin,    ///< Twin := the snapshot that the changes were taken from.
  DropTwin,
  Enlist,        ///< On the dirty list, without a twin.
  KeepSnapshot,  ///< Twin := the snapshot that was sent whole.
  KeepDigest,    ///< A digest of the contents that were sent stays instead of a twin; on the dirty
                 ///< list.
  TwinForDigest, ///< Twin := memory; if that is not what the digest is of, the next flush has the
                 ///< sharers told.
  DropDigest,
  StampGrace, ///< A grace period begins: threads that were not quiescent since may hold W.
  SendPut,    ///< The changes go to the home.
  SendWhole,  ///< All bytes do, and make this node a sharer.
  SendAway,   ///< All bytes do, and this node is no sharer, whether it was one or not.
  SendSums,   ///< What threads of the node have added goes to the home.
  SendLeave,  ///< Tell the home that this node is no sharer any more.
  Postpone,   ///< The release comes back when the fetch in flight has ended (trap 8).
  AddSharer,
  RemoveSharer,
  SendTwin,      ///< Answer with the twin's bytes, so that they are what the sharer holds (trap 3).
  SendMemory,    ///< Answer with memory.
  SendSupply,    ///< Send memory unasked.
  NoteServed,    ///< If the bytes sent differ from the twin, the next flush must tell the sharers.
  ApplyPut,      ///< Write exactly the bytes that were changed, in memory and in the twin if any.
  ExecuteAtomic, ///< In memory, and the new value in the twin if any.
  InvalidateOthers, ///< Tell every sharer but the writer; they are sharers no more.
  InvalidateAll,    ///< Tell every sharer; they are sharers no more.
  TellOthers, ///< Send the node's changes to the sharers that are expected to read them; the others
              ///< but the writer are told that their copies are stale, and are sharers no more.
  RefreshAll, ///< As TellAll, with all that the block has.
  TellAll,    ///< The same with the changes that this node's release has found, and all sharers.
};

struct Transition {
  static constexpr std::size_t kMaxActions = 5;
  BlockState next = BlockState::Exclusive;
  bool possible = false;
  bool defined = false;
  std::array<Action, kMaxActions> actions{};
};

class TransitionTable {
public:
  struct Row {
    BlockState state;
    Event event;
    BlockState next;
    std::array<Action, Transition::kMaxActions> actions{};
  };

  /// Builds a table from its rows; pairs in which `event` cannot occur in `state` are `impossible`.
  /// A pair that is defined twice makes the table invalid.
  template <std::size_t Rows, std::size_t Impossible>
  constexpr TransitionTable(const Row (&rows)[Rows],
                            const std::pair<BlockState, Event> (&impossible)[Impossible]) {
    for (const Row &row : rows) {
      Transition &t = at(row.state, row.event);
      duplicate_ |= t.defined;
      t = Transition{row.next, true, true, row.actions};
    }
    for (const auto &[state, event] : impossible) {
      Transition &t = at(state, event);
      duplicate_ |= t.defined;
      t.defined = true;
    }
  }

  constexpr const Transition &look(BlockState state, Event event) const {
    return cells_[std::size_t(state)][std::size_t(event)];
  }
  /// Whether each pair of `states` x `events` is defined, and nothing else and nothing twice.
  template <std::size_t S, std::size_t E>
  constexpr bool isTotal(const BlockState (&states)[S], const Event (&events)[E]) const {
    std::size_t defined = 0;
    for (const auto &row : cells_)
      for (const Transition &t : row)
        defined += t.defined;
    for (BlockState s : states)
      for (Event e : events)
        if (!look(s, e).defined)
          return false;
    return !duplicate_ && defined == S * E;
  }

private:
  constexpr Transition &at(BlockState s, Event e) { return cells_[std::size_t(s)][std::size_t(e)]; }
  std::array<std::array<Transition, kEventCount>, kBlockStateCount> cells_{};
  bool duplicate_ = false;
};

} // namespace ompdsm
