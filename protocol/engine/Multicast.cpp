// Multicast.cpp: messages that go to several nodes by way of some of them (core/Multicast.h), and
// the order of what reaches a node by both ways.
#include "fabric/Check.h"
#include "protocol/engine/EventLog.h"
#include "protocol/engine/MessengerQueue.h"

namespace ompdsm {

using fabric::Bytes;
using fabric::Channel;
using fabric::Urgency;

namespace {
/// More than a sender has under way while others pass something on.
constexpr std::size_t kMostHeld = 1u << 16;
} // namespace

void Messenger::logSend(NodeId to, MessageKind kind) {
  if (options_.events)
    options_.events->writeMessage(RecordKind::Send, to, unsigned(kindChannel(kind)), nameOf(kind));
}

void Messenger::postToAll(std::span<const NodeId> receivers, MessageKind kind,
                          std::span<const Bytes> parts, Urgency urgency, Urgency passing) {
  OMPDSM_CHECK(kindChannel(kind) == Channel::Reply && kind != MessageKind::Multicast);
  counters_[unsigned(kind)].messages.fetch_add(receivers.size(), std::memory_order_relaxed);
  std::vector<MulticastReceiver> all;
  for (const NodeId to : receivers) {
    OMPDSM_CHECK(to < nodeCount() && to != self());
    Queue &q = queue(to, Channel::Reply);
    std::lock_guard lock(q.mutex);
    all.push_back({to, 0, q.posted.onRelayed()});
    logSend(to, kind);
  }
  MulticastHead head;
  head.origin = self();
  head.kind = static_cast<std::uint8_t>(kind);
  head.urgency = static_cast<std::uint8_t>(urgency) & 15;
  head.passing = static_cast<std::uint8_t>(passing) & 15;
  pass(head, all, parts);
}

void Messenger::pass(const MulticastHead &head, std::span<const MulticastReceiver> receivers,
                     std::span<const Bytes> body) {
  forEachPart(receivers, [&](std::span<const MulticastReceiver> part) {
    MulticastHead to = head;
    to.receivers = static_cast<std::uint32_t>(part.size());
    std::vector<Bytes> parts{std::as_bytes(std::span(&to, 1)), std::as_bytes(part)};
    parts.insert(parts.end(), body.begin(), body.end());
    post(part.front().node, MessageKind::Multicast, std::span<const Bytes>(parts),
         Urgency(part.size() > 1 ? head.passing : head.urgency));
  });
}

void Messenger::receive(NodeId from, Channel channel, const MessageHeader &header, Bytes body) {
  const auto kind = MessageKind(header.kind);
  if (channel != Channel::Reply) {
    OMPDSM_CHECK(header.relayed == 0);
    return handle(from, kind, body);
  }
  if (kind == MessageKind::Multicast)
    return receiveMulticast(body);
  StreamOrder<Held> &stream = streams_[from];
  if (!stream.isNext(header.relayed)) {
    stream.holdStraight(header.relayed, {kind, {body.begin(), body.end()}});
    OMPDSM_CHECK(stream.held() <= kMostHeld);
    return;
  }
  handle(from, kind, body);
  stream.onStraight();
  takeHeld(from);
}

/// Passes it on at once, also where it is not next: what is next may wait for what others pass on.
void Messenger::receiveMulticast(Bytes body) {
  MulticastHead head;
  std::vector<MulticastReceiver> receivers;
  OMPDSM_CHECK(takeReceivers(body, head, receivers) && head.origin < nodeCount() &&
               receivers.front().node == self() && head.kind < kMessageKindCount &&
               kindChannel(MessageKind(head.kind)) == Channel::Reply);
  pass(head, std::span(receivers).subspan(1), {&body, 1});
  StreamOrder<Held> &stream = streams_[head.origin];
  const auto kind = MessageKind(head.kind);
  if (!stream.isNextRelayed(receivers.front().before)) {
    stream.holdRelayed(receivers.front().before, {kind, {body.begin(), body.end()}});
    OMPDSM_CHECK(stream.held() <= kMostHeld);
    return;
  }
  handle(head.origin, kind, body);
  stream.onRelayed();
  takeHeld(head.origin);
}

void Messenger::takeHeld(NodeId from) {
  if (streams_[from].held() != 0)
    streams_[from].takeHeld([&](const Held &held) { handle(from, held.kind, held.body); });
}

void Messenger::handle(NodeId from, MessageKind kind, Bytes body) {
  const Handler &handler = handlers_[unsigned(kind)];
  OMPDSM_CHECK(handler);
  if (options_.events)
    options_.events->writeMessage(RecordKind::Receive, from, unsigned(kindChannel(kind)),
                                  nameOf(kind));
  handler(from, body);
}

} // namespace ompdsm
