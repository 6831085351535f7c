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

/// A message of `origin` that has come by way of others.
void Messenger::takeRelayed(NodeId origin, MessageKind kind, std::uint32_t before, Bytes body) {
  StreamOrder<Held> &stream = streams_[origin];
  if (!stream.isNextRelayed(before)) {
    stream.holdRelayed(before, {kind, {body.begin(), body.end()}});
    OMPDSM_CHECK(stream.held() <= kMostHeld);
    return;
  }
  handle(origin, kind, body);
  stream.onRelayed();
  takeHeld(origin);
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
