// Packet.h: messages to one node and channel that leave together, as one message of the transport:
// each with a header of eight bytes in front of its body. The decoder never reads outside of the
// packet and answers false to anything malformed.
#pragma once
#include "fabric/Transport.h"
#include <cstring>
#include <span>

namespace ompdsm {

/// In front of each message's body.
struct MessageHeader {
  std::uint8_t kind = 0;
  std::uint8_t zero = 0;
  std::uint16_t reserved = 0;
  std::uint32_t bodyBytes = 0;
};
static_assert(sizeof(MessageHeader) == 8);

/// Takes the first message off a packet; false, with nothing changed, if that is not a whole one.
[[nodiscard]] inline bool takeMessage(fabric::Bytes &packet, std::uint8_t &kind,
                                      fabric::Bytes &body) {
  MessageHeader header;
  if (packet.size() < sizeof(header))
    return false;
  std::memcpy(&header, packet.data(), sizeof(header));
  if (header.zero != 0 || header.reserved != 0 || header.bodyBytes > packet.size() - sizeof(header))
    return false;
  kind = header.kind;
  body = packet.subspan(sizeof(header), header.bodyBytes);
  packet = packet.subspan(sizeof(header) + header.bodyBytes);
  return true;
}

} // namespace ompdsm
