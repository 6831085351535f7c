// BlockStep.h: one step of one block: looks the transition up and does what its actions say, on
// whatever memory and messages the Port stands for: the engine's, or those of the explorer's small
// world. What a bug here would break is therefore seen by the explorer.
#pragma once
#include "Classify.h"
#include "Types.h"
#include <concepts>

namespace ompdsm {

/// A block of one node during one event. Contents are the Port's: it knows the data, changes or
/// atomic operation that the event brought. The record has the fields of the engine's BlockRecord:
/// distrusted, writerWaits, graceStamp, sharers, and hasTwin().
template <class P>
concept BlockPort = requires(P port, BlockState state, Event event, NodeId node) {
  { port.transition(state, event) } -> std::convertible_to<const Transition &>;
  { port.state() } -> std::same_as<BlockState>;
  port.setState(state);
  port.impossible(event); ///< The peers broke the protocol: ends the process, or the exploration.
  port.record();          ///< Of this block; made if there is none.
  { port.findRecord() };  ///< Pointer to the record, or null.
  port.sharers();         ///< Of the record, or what is kept without one.
  port.forgetIfEmpty();   ///< May keep only the sharers of a record for which isBusy() is false.
  { port.peer() } -> std::convertible_to<NodeId>; ///< Who asked or wrote; the heir for Cede.
  // Threads.
  port.addWaiter();
  port.wakeWaiters();
  port.postpone();
  { port.newGraceStamp() } -> std::convertible_to<std::uint64_t>;
  // Contents.
  port.overwriteMemory();
  port.mergeUnderWriters(); ///< Where the data differs from the twin: memory := twin := data (trap
                            ///< 5).
  port.takeTwin();          ///< Twin := memory.
  port.makeTwinOfSnapshot();
  port.renewTwin(); ///< Twin := the snapshot of the flush.
  port.freeTwin();
  port.keepDigest();                                  ///< Of what collectMemory has taken.
  { port.compareWithDigest() } -> std::same_as<bool>; ///< As compareWithTwin, without its masks.
  port.dropDigest();
  port.enlist(); ///< On the dirty list.
  port.applyChangesToMemory();
  port.applyChangesToTwin();
  port.executeAtomicInMemory();
  port.applyAtomicToTwin(); ///< The value that the operation produced, if it writes.
  // Messages, which leave in the order of the steps that collected them (trap 4).
  port.collectGet();
  port.collectPut();
  port.collectWhole();
  port.collectAway();
  port.collectSums(); ///< What threads have added; from then on they see that it has left.
  port.collectLeave();
  port.collectTwin(node);
  port.collectMemory(node);
  port.collectSupply(node); ///< All of memory, as collectRefresh sends it.
  /// Whether what collectMemory has taken differs from the twin, or from what the digest is of.
  { port.sentDiffers() } -> std::same_as<bool>;
  port.collectInvalidate(node);
  { port.expectsReader(node) } -> std::same_as<bool>; ///< Whether a sharer will read what changes.
  port.collectUpdate(node);                           ///< What compareWithTwin has found.
  port.collectRefresh(node); ///< All of the snapshot, or of what takeWhole has taken.
  port.forwardPut(node);     ///< What the peer has changed.
  // Sole sharers (BarrierRules.h).
  { port.hasSaidSole() } -> std::same_as<bool>; ///< The home, to a sharer.
  port.forgetSaidSole();
  { port.saysSole() } -> std::same_as<bool>; ///< To the peer, which has put; may say so again.
  port.collectSharing(node, true); ///< Whether it is the only sharer: an Update of nothing.
  port.forgetSole();               ///< The sharer's copy ends.
  // Untracked areas.
  { port.isUntracked() } -> std::same_as<bool>;
  { port.isForeign() } -> std::same_as<bool>;
  port.listForeignCopy();
  port.countUntracked(1, 1); ///< Changes of how many are open for writing, and being fetched.
};

/// Whether a block in `state` needs more of its record than its sharers.
template <class Record> bool isBusy(const Record &record, BlockState state) {
  return record.hasTwin() || isFetching(state) || state == BlockState::HomeServed;
}

/// Tells every sharer but `spared` (null: all), who alone remains one if it was one.
template <BlockPort Port> void invalidateSharers(Port &port, const NodeId *spared) {
  auto &sharers = port.record().sharers;
  const bool keep = spared && sharers.contains(*spared);
  sharers.forEach([&](NodeId sharer) {
    if (!spared || sharer != *spared)
      port.collectInvalidate(sharer);
  });
  sharers.clear();
  if (keep)
    sharers.insert(*spared);
}

/// Whether any sharer of the home's block will read what changes.
template <BlockPort Port> bool expectsReaders(Port &port) {
  bool any = false;
  port.sharers().forEach([&](NodeId sharer) { any = any || port.expectsReader(sharer); });
  return any;
}

/// Calls push(sharer) for every sharer but `spared` (null: all) that is expected to read what has
/// changed, and tells the others that their copies are stale.
template <BlockPort Port, class Push>
void tellSharers(Port &port, const NodeId *spared, Push &&push) {
  const auto sharers = port.sharers();
  sharers.forEach([&](NodeId sharer) {
    if (spared && sharer == *spared)
      return;
    if (port.expectsReader(sharer))
      return push(sharer);
    port.collectInvalidate(sharer);
    port.record().sharers.erase(sharer);
  });
}

/// The peer, which may have become a sharer or changed the block, hears if it is the only one; and
/// if it is not, who takes itself for that. A sharer that overwrites the block is one as before.
template <BlockPort Port> void tellOfSharing(Port &port) {
  if (port.sharers().isOnly(port.peer())) {
    if (port.saysSole())
      port.collectSharing(port.peer(), /*isSole=*/true);
  } else if (port.hasSaidSole()) {
    port.forgetSaidSole();
    port.sharers().forEach([&](NodeId sharer) {
      if (sharer != port.peer())
        port.collectSharing(sharer, /*isSole=*/false);
    });
  }
}

/// Without making a record: most copies that are read and updated have none.
template <BlockPort Port> bool hasTwin(Port &port) {
  const auto *record = port.findRecord();
  return record && record->hasTwin();
}

template <BlockPort Port> void perform(Port &port, Action action) {
  switch (action) {
  case Action::None:
    return;
  case Action::RequestData:
    (void)port.record(); // what is being fetched has one, whether anybody waits or not
    port.collectGet();
    return;
  case Action::AwaitDataForWrite:
    port.record().writerWaits = true;
    [[fallthrough]];
  case Action::AwaitData:
    port.addWaiter();
    return;
  case Action::ApplyData:
    port.overwriteMemory();
    return;
  case Action::MergeData:
    port.mergeUnderWriters();
    return;
  case Action::WakeWaiters:
    port.wakeWaiters();
    port.record().writerWaits = false;
    return;
  case Action::MakeTwin:
    port.takeTwin();
    port.enlist();
    return;
  case Action::DistrustTwin:
    port.record().distrusted = true;
    return;
  case Action::RenewTwin:
    port.renewTwin();
    return;
  case Action::DropTwin:
    port.freeTwin();
    port.record().distrusted = false;
    return;
  case Action::KeepDigest:
    port.keepDigest();
    port.enlist();
    return;
  case Action::TwinForDigest:
    port.record().distrusted |= port.compareWithDigest();
    port.dropDigest();
    port.makeTwinOfSnapshot();
    return;
  case Action::DropDigest:
    port.dropDigest();
    port.record().distrusted = false;
    return;
  case Action::Enlist:
    port.enlist();
    return;
  case Action::KeepSnapshot:
    port.makeTwinOfSnapshot();
    return;
  case Action::StampGrace:
    port.record().graceStamp = port.newGraceStamp();
    return;
  case Action::SendPut:
    port.collectPut(); // of nothing, if only the twin is distrusted: the home tells the others
    port.record().distrusted = false;
    return;
  case Action::SendWhole:
    port.collectWhole();
    return;
  case Action::SendAway:
    port.collectAway();
    return;
  case Action::SendSums:
    port.collectSums();
    return;
  case Action::SendLeave:
    port.collectLeave();
    return;
  case Action::Postpone:
    port.postpone();
    return;
  case Action::AddSharer:
    port.record().sharers.insert(port.peer());
    tellOfSharing(port);
    return;
  case Action::RemoveSharer:
    port.record().sharers.erase(port.peer());
    return;
  case Action::SendTwin:
    port.collectTwin(port.peer());
    return;
  case Action::SendMemory:
    port.collectMemory(port.peer());
    return;
  case Action::SendSupply:
    port.collectSupply(port.peer());
    return;
  case Action::NoteServed:
    port.record().distrusted |= port.sentDiffers();
    return;
  case Action::ApplyPut:
    port.applyChangesToMemory();
    if (hasTwin(port))
      port.applyChangesToTwin();
    return;
  case Action::ExecuteAtomic:
    port.executeAtomicInMemory();
    if (hasTwin(port))
      port.applyAtomicToTwin();
    return;
  case Action::InvalidateOthers: {
    const NodeId writer = port.peer();
    invalidateSharers(port, &writer);
    return;
  }
  case Action::InvalidateAll:
    invalidateSharers(port, nullptr);
    port.record().distrusted = false;
    return;
  case Action::TellOthers: {
    const NodeId writer = port.peer();
    if (!mayForwardPut(port.isUntracked()))
      return invalidateSharers(port, &writer);
    tellSharers(port, &writer, [&](NodeId sharer) { port.forwardPut(sharer); });
    tellOfSharing(port);
    return;
  }
  case Action::RefreshAll:
    tellSharers(port, nullptr, [&](NodeId sharer) { port.collectRefresh(sharer); });
    if (auto *record = port.findRecord()) // What leaves whole has none.
      record->distrusted = false;
    return;
  case Action::TellAll:
    tellSharers(port, nullptr, [&](NodeId sharer) { port.collectUpdate(sharer); });
    return;
  }
}

/// What acquires have to know of a cacher's block in an untracked area that goes from `before` to
/// `next` (trap 9). The copy is listed first: an acquire that sees that nothing is being fetched
/// sees what is to be dropped.
template <BlockPort Port> void noteUntracked(Port &port, BlockState before, BlockState next) {
  if (!port.isUntracked() || isHomeState(next))
    return;
  if (port.isForeign() && next != before &&
      (next == BlockState::Clean || next == BlockState::Closing))
    port.listForeignCopy();
  port.countUntracked(int(next == BlockState::Dirty) - int(before == BlockState::Dirty),
                      int(isFetching(next)) - int(isFetching(before)));
}

/// `event` happens to the block. A permission is taken before anything is derived from the
/// contents, and given after they are there.
template <BlockPort Port> void step(Port &port, Event event) {
  const BlockState before = port.state();
  const Transition &transition = port.transition(before, event);
  if (!transition.possible)
    return port.impossible(event);
  const BlockState next = transition.next;
  const bool takes = (missBits(next) & ~missBits(before)) || before == BlockState::Summed;
  noteUntracked(port, before, next);
  // Who is told while it overwrites the block is no sharer until it puts that.
  if ((holdsCopy(before) && !holdsCopy(next)) || event == Event::Invalidate)
    port.forgetSole();
  if (takes)
    port.setState(next);
  for (Action action : transition.actions)
    if (action != Action::None)
      perform(port, action);
  if (!takes && next != before)
    port.setState(next);
  port.forgetIfEmpty();
}

} // namespace ompdsm
