// TeamMessages.h: the kinds and bodies of the messages between the nodes' teams. Bodies are copied
// as they lie in memory: all nodes run the same executable.
#pragma once
#include "fabric/Check.h"
#include "protocol/engine/Messenger.h"
#include <cstring>
#include <type_traits>

namespace ompdsm {

/// Kinds from 40 on are the OpenMP side's.
enum class TeamMessage : std::uint8_t {
  Statistics = 40, ///< A node's counters for node 0: StatisticsBody.
  Claim = 41,      ///< To node 0: ClaimBody, who executes a single construct.
  ClaimAnswer = 42,
  // Of locks: LockTable::Body.
  LockRequest = 43, ///< To a lock's manager: answered by LockGrant when it is our turn.
  LockTry = 44,     ///< To a lock's manager: answered at once by LockGrant or LockBusy.
  LockGrant = 45,
  LockBusy = 46,
  LockRelease = 47, ///< To a lock's manager.
  Steal = 48,       ///< To a node with threads: StealBody, give half of the loop's rest.
  StealAnswer = 49,
  TaskAsk = 50, ///< To a node of the team: give some tasks (TaskSharing.h).
  FlagAsk = 51, ///< To who may raise an iteration's flag: answered by FlagAnswer when it is raised.
  TaskDeny = 52,    ///< To who has asked for tasks: there is nothing to do here.
  CopyPrivate = 53, ///< To all nodes with threads: CopyPrivateBody, what a single construct shares.
  ConditionSignal = 54, ///< To all nodes: the address of a condition variable.
  LockRecall = 55,      ///< To a lock's holder: another node wants it.
  LockRecallTry = 56,   ///< The same for an attempt: answered by LockRelease or LockInUse at once.
  LockInUse = 57,       ///< To a lock's manager: a thread owns it.
  TaskRecall = 58,      ///< To who was given a task: return it if it has not begun.
  TaskReturn = 59,
  TasksIdle = 60,    ///< To node 0, at a barrier: nothing to do here.
  TasksAllIdle = 61, ///< Node 0 to the team: nor anywhere.
  StreamRequest =
      62, ///< To who has opened a stream: RemoteStreams::RequestBody, then what to write.
  StreamAnswer = 63,
  // Behind the releases that precede them.
  Fork = 64,       ///< Node 0 to a node with threads: ForkBody, then the argument pointers.
  Barrier = 65,    ///< Node 0 to a node without threads: take part in the next barrier.
  Exit = 66,       ///< Node 0 to all: the program has ended; ExitBody.
  Hint = 67,       ///< Node 0 to all: HintOrder, to be carried out by all.
  Reduce = 68,     ///< To the parent in the tree: ReduceBody, then a piece of the objects' bytes.
  FlagAnswer = 69, ///< Behind what its node hands over: IterationFlags::AnswerBody.
  TaskGive = 70,   ///< To who has asked: TaskSharing::GiveBody, then the task's contents.
  TaskEnd = 71,    ///< To who has given the task.
};

constexpr MessageKind messageKind(TeamMessage message) { return static_cast<MessageKind>(message); }
static_assert(unsigned(TeamMessage::StreamAnswer) < unsigned(MessageKind::FirstFollowingKind) &&
              unsigned(TeamMessage::TaskEnd) < kMessageKindCount);

template <class Body> fabric::Bytes bytesOf(const Body &body) {
  static_assert(std::is_trivially_copyable_v<Body>);
  return std::as_bytes(std::span<const Body, 1>(&body, 1));
}

/// The fixed part of a message's body; `rest` gets what follows it.
template <class Body> Body bodyFrom(fabric::Bytes bytes, fabric::Bytes *rest = nullptr) {
  static_assert(std::is_trivially_copyable_v<Body>);
  OMPDSM_CHECK(bytes.size() >= sizeof(Body));
  Body body;
  std::memcpy(&body, bytes.data(), sizeof(Body));
  if (rest)
    *rest = bytes.subspan(sizeof(Body));
  else
    OMPDSM_CHECK(bytes.size() == sizeof(Body));
  return body;
}

inline void postTeamMessage(Messenger &messenger, NodeId to, TeamMessage message,
                            std::initializer_list<fabric::Bytes> parts) {
  messenger.post(to, messageKind(message), parts);
  messenger.flush();
}

} // namespace ompdsm
