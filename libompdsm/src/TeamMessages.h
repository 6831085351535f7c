// TeamMessages.h: the kinds and bodies of the messages between the nodes' teams, all on the Control
// channel. Bodies are copied as they lie in memory: all nodes run the same executable.
#pragma once
#include "fabric/Check.h"
#include "protocol/engine/Messenger.h"
#include <cstring>
#include <type_traits>

namespace ompdsm {

/// Kinds from 40 on are the OpenMP side's.
enum class TeamMessage : std::uint8_t {
  Fork = 40,       ///< Node 0 to a node with threads: ForkBody, then the argument pointers.
  Barrier = 41,    ///< Node 0 to a node without threads: take part in the next barrier.
  Exit = 42,       ///< Node 0 to all: the program has ended; ExitBody.
  Statistics = 43, ///< A node's counters for node 0: StatisticsBody.
  Claim = 44,      ///< To node 0: ClaimBody, who executes a single construct.
  ClaimAnswer = 45,
  Reduce = 46,      ///< To the parent in the tree: ReduceBody, then a piece of the objects' bytes.
  LockRequest = 47, ///< To a lock's manager: LockBody; answered by LockGrant when it is our turn.
  LockTry = 48,     ///< To a lock's manager: LockBody; answered at once by LockGrant or LockBusy.
  LockGrant = 49,
  LockBusy = 50,
  LockRelease = 51, ///< To a lock's manager: LockBody.
  Steal = 52,       ///< To a node with threads: StealBody, give half of the loop's rest.
  StealAnswer = 53,
  FlagRaised = 54, ///< To the manager of an iteration's flag: IterationFlags::Body.
  FlagAsk = 55,    ///< To the manager: answered by FlagAnswer when the flag is raised.
  FlagAnswer = 56,
  CopyPrivate = 57, ///< To all nodes with threads: CopyPrivateBody, what a single construct shares.
  ConditionSignal = 58, ///< To all nodes: the address of a condition variable.
  Hint = 59,            ///< Node 0 to all: HintOrder, to be carried out by all.
  LockRecall = 60,      ///< To a lock's holder: LockBody, others want it.
  LockRecallTry = 61,   ///< The same for an attempt: answered by LockRelease or LockInUse at once.
  LockInUse = 62,       ///< To a lock's manager: LockBody, a thread owns it.
};

constexpr MessageKind messageKind(TeamMessage message) { return static_cast<MessageKind>(message); }
static_assert(unsigned(TeamMessage::LockInUse) < kMessageKindCount);

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
