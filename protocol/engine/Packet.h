// Packet.h: messages to one node and channel that leave together, as one message of the transport:
// each with a header of eight bytes in front of its body. The decoder never reads outside of the
// packet and answers false to anything malformed. And what is in front of a message that a node is
// to pass on to others (core/Multicast.h), or that leaves with those of another channel.
#pragma once
#include "fabric/Transport.h"
#include <cstring>
#include <span>
#include <vector>

namespace ompdsm {

/// In front of each message's body.
struct MessageHeader {
  std::uint8_t kind = 0;
  std::uint8_t zero = 0;
  std::uint16_t relayed = 0; ///< So many messages of its channel before it come by way of others.
  std::uint32_t bodyBytes = 0;
};
static_assert(sizeof(MessageHeader) == 8);

/// Takes the first message off a packet; false, with nothing changed, if that is not a whole one.
[[nodiscard]] inline bool takeMessage(fabric::Bytes &packet, MessageHeader &header,
                                      fabric::Bytes &body) {
  if (packet.size() < sizeof(header))
    return false;
  MessageHeader first;
  std::memcpy(&first, packet.data(), sizeof(first));
  if (first.zero != 0 || first.bodyBytes > packet.size() - sizeof(first))
    return false;
  header = first;
  body = packet.subspan(sizeof(header), header.bodyBytes);
  packet = packet.subspan(sizeof(header) + header.bodyBytes);
  return true;
}

/// Body of a Multicast: this, the receivers, of which the first is who gets it, and the body of the
/// message.
struct MulticastHead {
  NodeId origin = 0;
  std::uint8_t kind = 0;                         ///< Of the message.
  std::uint8_t urgency : 4 = 0, passing : 4 = 0; ///< As of Messenger::postToAll.
  std::uint32_t receivers = 0;
};
struct MulticastReceiver {
  NodeId node = 0;
  std::uint16_t zero = 0;
  std::uint32_t before = 0; ///< So many messages of the origin to it are before this one.
};
static_assert(sizeof(MulticastHead) == 8 && sizeof(MulticastReceiver) == 8);

/// Body of a Piggyback: this, and the body of the message.
struct PiggybackHead {
  std::uint32_t before = 0; ///< So many messages of its channel are before it.
  std::uint32_t kind = 0;   ///< Of the message.
};
static_assert(sizeof(PiggybackHead) == 8);

/// Takes the head off a body; false, with the body unchanged, if it has none.
[[nodiscard]] inline bool takePiggyback(fabric::Bytes &body, PiggybackHead &head) {
  if (body.size() < sizeof(head))
    return false;
  std::memcpy(&head, body.data(), sizeof(head));
  body = body.subspan(sizeof(head));
  return true;
}

/// Takes head and receivers off a body, which leaves that of the message; false, with the body
/// unchanged, if it has not all of them, or nobody is to get it.
[[nodiscard]] inline bool takeReceivers(fabric::Bytes &body, MulticastHead &head,
                                        std::vector<MulticastReceiver> &receivers) {
  if (body.size() < sizeof(head))
    return false;
  std::memcpy(&head, body.data(), sizeof(head));
  const fabric::Bytes rest = body.subspan(sizeof(head));
  constexpr auto kMost = unsigned(fabric::Urgency::Now);
  if (head.urgency > kMost || head.passing > kMost || head.receivers == 0 ||
      head.receivers > rest.size() / sizeof(MulticastReceiver))
    return false;
  receivers.resize(head.receivers);
  std::memcpy(receivers.data(), rest.data(), receivers.size() * sizeof(MulticastReceiver));
  body = rest.subspan(receivers.size() * sizeof(MulticastReceiver));
  return true;
}

} // namespace ompdsm
