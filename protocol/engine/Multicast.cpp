// Multicast.cpp: messages that go to several nodes by way of some of them (core/Multicast.h).
#include "fabric/Check.h"
#include "protocol/engine/MessengerQueue.h"

namespace ompdsm {

using fabric::Bytes;
using fabric::Channel;
using fabric::Urgency;

void Messenger::postToAll(std::span<const NodeId> receivers, MessageKind kind,
                          std::span<const Bytes> parts, Urgency urgency, Urgency passing) {
  OMPDSM_CHECK(kindChannel(kind) == Channel::Reply && kind != MessageKind::Multicast);
  counters_[unsigned(kind)].messages.fetch_add(receivers.size(), std::memory_order_relaxed);
  std::vector<MulticastReceiver> all;
  for (const NodeId to : receivers) {
    OMPDSM_CHECK(to < nodeCount() && to != self());
    all.push_back({to, 0, takePlace(to, kind)});
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

/// Passes it on at once, also where it is not next: what is next may wait for what others pass on.
void Messenger::receiveMulticast(Bytes body) {
  MulticastHead head;
  std::vector<MulticastReceiver> receivers;
  OMPDSM_CHECK(takeReceivers(body, head, receivers) && head.origin < nodeCount() &&
               receivers.front().node == self() && head.kind < kMessageKindCount &&
               kindChannel(MessageKind(head.kind)) == Channel::Reply);
  pass(head, std::span(receivers).subspan(1), {&body, 1});
  takeRelayed(head.origin, MessageKind(head.kind), receivers.front().before, body);
}

} // namespace ompdsm
