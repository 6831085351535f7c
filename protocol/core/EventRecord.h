// EventRecord.h: one line of the trace of a node's protocol events (engine/EventLog.h writes it,
// sim/replay reads it).
#pragma once
#include "StepJournal.h"
#include <string>

namespace ompdsm {

inline constexpr NodeId kNoPeer = 0xffff;

enum class RecordKind : std::uint8_t {
  Step,      ///< One step of a block (BlockStep.h).
  Flush,     ///< A release visits a listed block (BlockFlush.h).
  Cede,      ///< A barrier asks whether a block may move (BarrierRules.h).
  Recall,    ///< Or have another size.
  Evict,     ///< A node gives up a copy, if it can (Eviction.h).
  Forget,    ///< The home hears of it.
  Serve,     ///< A home is asked for a block (Serving.h).
  Supply,    ///< It may send it to a node that has not asked (Serving.h).
  Quiescent, ///< A thread's quiescence (Quiescence.h) is about to be set.
  Send,      ///< A message is about to leave.
  Receive,   ///< A message has come, and is about to be handled.
  Ask,       ///< A thread has asked for a permission on a range; under the lock.
  Granted,   ///< It has it.
  Atomic,    ///< A thread asks the home for an atomic operation.
  Releasing, ///< A release has sent its changes, and knows what it waits for.
  Released,  ///< It ends.
  Arrive,    ///< A node has sent its changes and enters a barrier.
  Leave,     ///< It has left it.
  Moved,     ///< Pages have another home now, in this node's map.
  Resized,   ///< Blocks of a page have another size now, in this node's map.
  End,       ///< The node ended in order.
  Truncated, ///< The trace has reached its limit.
};
inline constexpr std::size_t kRecordKindCount = 22;

constexpr const char *nameOf(RecordKind kind) {
  constexpr const char *kNames[kRecordKindCount] = {
      "Step",      "Flush", "Cede",    "Recall",  "Evict",   "Forget",   "Serve",     "Supply",
      "Quiescent", "Send",  "Receive", "Ask",     "Granted", "Atomic",   "Releasing", "Released",
      "Arrive",    "Leave", "Moved",   "Resized", "End",     "Truncated"};
  return kNames[std::size_t(kind)];
}

/// Of Send and Receive.
constexpr unsigned kRecordedChannels = 3;

/// Which fields a record has depends on its kind: fieldsOf.
struct EventRecord {
  RecordKind kind = RecordKind::End;
  Address address = 0;     ///< Of the block, or where a range begins.
  std::uint64_t bytes = 0; ///< Of the range.
  NodeId peer = kNoPeer;   ///< Step: who sent what the event is about. Else the other node.
  std::uint64_t thread =
      0; ///< Of the system; Flush, Cede, Recall, Supply, Quiescent: plus one, of the registrations.
  std::uint64_t number = 0; ///< Quiescent: the clock. Send, Receive: in the channel, from 1. Of a
                            ///< barrier. Resized: log2 of the bytes of a block.
  std::string message; ///< Its kind.
  unsigned channel = 0;
  bool flag = false; ///< Ask, Granted: to write. Leave: the barrier had a second half.
  BlockState before = BlockState::Invalid, after = BlockState::Invalid;
  StepJournal journal;
  std::vector<NodeId> sharers; ///< Afterwards.
};

enum Field : unsigned {
  kAddress = 1,
  kBytes = 2,
  kPeer = 4,
  kThread = 8,
  kNumber = 16,
  kMessage = 32,
  kFlag = 64,
  kVisit = 128, ///< Before, after, journal, sharers.
};
constexpr unsigned fieldsOf(RecordKind kind) {
  switch (kind) {
  case RecordKind::Step:
  case RecordKind::Forget:
  case RecordKind::Serve:
    return kAddress | kPeer | kVisit;
  case RecordKind::Flush:
  case RecordKind::Evict:
  case RecordKind::Recall:
    return kAddress | kThread | kVisit;
  case RecordKind::Cede:
  case RecordKind::Supply:
    return kAddress | kPeer | kThread | kVisit;
  case RecordKind::Quiescent:
    return kThread | kNumber;
  case RecordKind::Send:
  case RecordKind::Receive:
    return kPeer | kNumber | kMessage;
  case RecordKind::Ask:
  case RecordKind::Granted:
    return kAddress | kBytes | kThread | kFlag;
  case RecordKind::Atomic:
    return kAddress | kPeer;
  case RecordKind::Releasing:
  case RecordKind::Released:
    return kThread;
  case RecordKind::Arrive:
    return kNumber;
  case RecordKind::Leave:
    return kNumber | kFlag;
  case RecordKind::Moved:
    return kAddress | kBytes | kPeer;
  case RecordKind::Resized:
    return kAddress | kBytes | kNumber;
  case RecordKind::End:
  case RecordKind::Truncated:
    return 0;
  }
  return 0;
}

/// What every trace begins with. All nodes of a job have the same areas.
struct EventArea {
  Address begin = 0, end = 0;
  NodeId home = 0;
  unsigned blockShift = 0;
  bool untracked = false, foreign = false;
  friend bool operator==(const EventArea &, const EventArea &) = default;
};
struct EventHead {
  static constexpr unsigned kVersion = 1;
  NodeId node = 0;
  unsigned nodes = 0;
  std::vector<EventArea> areas;
};

} // namespace ompdsm
