// Grouping.cpp: what a node says to another in a group leaves together: large messages from where
// they are, with what follows them, and requests with replies.
#include "fabric/Check.h"
#include "protocol/engine/MessengerQueue.h"

namespace ompdsm {

using fabric::Bytes;
using fabric::Channel;

Messenger::Group::Group(Messenger &messenger, NodeId to)
    : messenger_(messenger), queue_(messenger.queue(to, Channel::Reply)) {
  std::lock_guard lock(queue_.mutex);
  queue_.groups.fetch_add(1, std::memory_order_relaxed);
}

Messenger::Group::~Group() {
  std::lock_guard lock(queue_.mutex);
  queue_.groups.fetch_sub(1, std::memory_order_relaxed);
  if (queue_.leader.bytes != 0)
    messenger_.sendLeader(queue_);
  messenger_.account(queue_);
}

/// Whether the message in q.parts stays with a leader, or becomes one.
bool Messenger::leadOrFollow(Queue &q, const MessageHeader &header, std::size_t bytes, Parts stay) {
  Queue::Leader &leader = q.leader;
  if (leader.bytes != 0) {
    if (bytes <= kCopiedBytes && mayJoin(leader.bytes, bytes)) {
      for (Bytes part : std::span(q.parts).subspan(1))
        leader.followers.insert(leader.followers.end(), part.begin(), part.end());
      leader.bytes += bytes;
      return true;
    }
    sendLeader(q);
  }
  if (stay == Parts::MayChange || q.groups.load(std::memory_order_relaxed) == 0 ||
      !options_.joinMessages || bytes <= kCopiedBytes)
    return false;
  leader.header = header;
  leader.parts = q.parts;
  leader.parts[1] = std::as_bytes(std::span(&leader.header, 1));
  leader.bytes = bytes;
  return true;
}

/// With those that follow it.
void Messenger::sendLeader(Queue &q) {
  Queue::Leader &leader = q.leader;
  if (!leader.followers.empty())
    leader.parts.push_back(leader.followers);
  if (!sendLarge(q, leader.parts, leader.bytes))
    append(q, std::span(leader.parts).subspan(1), leader.bytes);
  leader.followers.clear();
  leader.bytes = 0;
}

bool Messenger::isGrouped(NodeId to) {
  return options_.joinMessages &&
         queue(to, Channel::Reply).groups.load(std::memory_order_relaxed) != 0;
}

void Messenger::postPiggyback(NodeId to, MessageKind kind, std::span<const Bytes> parts,
                              fabric::Urgency urgency) {
  PiggybackHead head;
  head.kind = static_cast<std::uint32_t>(kind);
  head.before = takePlace(to, kind);
  std::vector<Bytes> wrapped{std::as_bytes(std::span(&head, 1))};
  wrapped.insert(wrapped.end(), parts.begin(), parts.end());
  post(to, MessageKind::Piggyback, wrapped, urgency);
}

void Messenger::receivePiggyback(NodeId from, Bytes body) {
  PiggybackHead head;
  OMPDSM_CHECK(takePiggyback(body, head) && head.kind < kMessageKindCount &&
               kindChannel(MessageKind(head.kind)) == Channel::Request);
  takeRelayed(from, MessageKind(head.kind), head.before, body);
}

} // namespace ompdsm
