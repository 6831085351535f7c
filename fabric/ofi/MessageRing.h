// MessageRing.h: memory of one node in which it lays large messages for a peer of its host, which
// maps it and reads them there. One ring for each channel of a pair; what was laid down is told by
// a short message of the provider's.
//
// A ring needs no count of what the receiver has done with it: the window bounds what is not
// delivered, messages of a channel are delivered in their order, and a ring is so large that what
// is not delivered cannot be reached again.
#pragma once
#include "../Check.h"
#include "Wire.h"

namespace ompdsm::fabric {

/// Follows the header of a message of kind Laid.
struct LaidMessage {
  std::uint32_t offset = 0, bytes = 0; ///< In the sender's ring of the channel.
};

inline constexpr std::size_t kLaidAlignment = 64;
/// What is undelivered has at most kLocalWindowBytes, with less than a cache line of padding for
/// each message, of which each costs kMinimumCost at least, and at most one gap at the end of the
/// ring, shorter than a message. Whole pages.
inline constexpr std::size_t kRingBytes =
    (kLocalWindowBytes + kLocalWindowBytes / kMinimumCost * kLaidAlignment + kMaxMessageBytes +
     4095) /
    4096 * 4096;
/// The rings from a node to one peer, by channel.
inline constexpr std::size_t kRingsBytes = kChannelCount * kRingBytes;

/// The sender's end. Guarded by the flow's sendMutex.
class RingWriter {
public:
  RingWriter() = default;
  explicit RingWriter(std::byte *ring) : ring_(ring) {}

  /// Where a message of `bytes` may be written now, within the window. `isAllDelivered`: of those
  /// before. The ring begins anew then, so that what is rarely used stays in caches.
  LaidMessage place(std::size_t bytes, bool isAllDelivered) const {
    const std::size_t begin = isAllDelivered || next_ + bytes > kRingBytes ? 0 : next_;
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(bytes)};
  }
  std::byte *at(LaidMessage message) const { return ring_ + message.offset; }
  /// The message has been sent.
  void advance(LaidMessage message) {
    next_ = (message.offset + message.bytes + kLaidAlignment - 1) / kLaidAlignment * kLaidAlignment;
  }

private:
  std::byte *ring_ = nullptr;
  std::size_t next_ = 0;
};

/// The receiver's end: the bytes of a message. Valid until it is counted as delivered.
inline Bytes laidAt(const std::byte *ring, LaidMessage message) {
  OMPDSM_CHECK(message.bytes <= kMaxMessageBytes && message.offset <= kRingBytes - message.bytes);
  return {ring + message.offset, message.bytes};
}

} // namespace ompdsm::fabric
