// Receiving.cpp: what comes to a node is handled in the order in which its sender has posted it,
// by whichever way it came (core/Multicast.h).
#include "fabric/Check.h"
#include "protocol/engine/EventLog.h"
#include "protocol/engine/MessengerQueue.h"

namespace ompdsm {

using fabric::Bytes;
using fabric::Channel;

namespace {
/// More than a sender has under way while others pass something on.
constexpr std::size_t kMostHeld = 1u << 16;
} // namespace

StreamOrder<Messenger::Held> &Messenger::stream(NodeId from, Channel channel) {
  return streams_[std::size_t(from) * fabric::kChannelCount + unsigned(channel)];
}

void Messenger::receive(NodeId from, Channel channel, const MessageHeader &header, Bytes body) {
  const auto kind = MessageKind(header.kind);
  if (kind == MessageKind::Multicast)
    return receiveMulticast(body);
  if (kind == MessageKind::Piggyback)
    return receivePiggyback(from, body);
  StreamOrder<Held> &order = stream(from, channel);
  if (!order.isNext(header.relayed)) {
    order.holdStraight(header.relayed, {kind, {body.begin(), body.end()}});
    OMPDSM_CHECK(order.held() <= kMostHeld);
    return;
  }
  handle(from, kind, body);
  order.onStraight();
  takeHeld(from, order);
}

/// A message of `origin` that has come by way of others, or of another channel.
void Messenger::takeRelayed(NodeId origin, MessageKind kind, std::uint32_t before, Bytes body) {
  StreamOrder<Held> &order = stream(origin, kindChannel(kind));
  if (!order.isNextRelayed(before)) {
    order.holdRelayed(before, {kind, {body.begin(), body.end()}});
    OMPDSM_CHECK(order.held() <= kMostHeld);
    return;
  }
  handle(origin, kind, body);
  order.onRelayed();
  takeHeld(origin, order);
}

void Messenger::takeHeld(NodeId from, StreamOrder<Held> &order) {
  if (order.held() != 0)
    order.takeHeld([&](const Held &held) { handle(from, held.kind, held.body); });
}

void Messenger::handle(NodeId from, MessageKind kind, Bytes body) {
  const Handler &handler = handlers_[unsigned(kind)];
  OMPDSM_CHECK(handler);
  // As many as the sender has written.
  for (std::size_t i = 0; options_.events && i < thingsIn(kind, body.size()); ++i)
    options_.events->writeMessage(RecordKind::Receive, from, unsigned(kindChannel(kind)),
                                  nameOf(kind));
  handler(from, body);
}

} // namespace ompdsm
