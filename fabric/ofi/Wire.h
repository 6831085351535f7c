// Wire.h: what a message of the libfabric transport looks like, and what it costs of a window.
//
// A sender may have at most a window of undelivered messages per (peer, channel): that is what
// bounds the memory of a receiver that does not poll, since providers queue without limit. Both
// sides compute a message's cost with messageCost(), so a change here changes both.
#pragma once
#include "../Transport.h"
#include <type_traits>

namespace ompdsm::fabric {

enum class WireKind : std::uint8_t {
  Data = 0,   ///< A message of the layer above follows.
  Laid = 1,   ///< It lies in a ring that sender and receiver share (MessageRing.h); a LaidMessage
              ///< follows.
  Credit = 2, ///< Nothing follows; the header's `consumed` is the news.
  Hello = 3,  ///< First message of each endpoint, so that connections exist before they are needed.
  Wake = 4,   ///< From a node to itself, to end its sleep inside a TCP provider.
  Urgent = 5, ///< As Data, over TCP: somebody may wait for what comes of it (Urgency).
};

/// Precedes every message. All nodes of a job run the same executable, so bytes are in host order.
struct WireHeader {
  NodeId from = 0;
  std::uint8_t channel = 0; ///< Channel, or the number of the endpoint in a Hello.
  WireKind kind = WireKind::Data;
  /// By channel: cost of all messages from the receiver of this header that its sender has
  /// delivered, modulo 2^32. Cumulative, so that it does not matter which of two headers arrives
  /// first.
  std::uint32_t consumed[kChannelCount] = {};
};
static_assert(sizeof(WireHeader) == 16 && std::is_trivially_copyable_v<WireHeader>);

/// Most bytes of a message that goes to a local peer by itself, and is not laid into a ring. With
/// its header it is what the shm provider injects.
inline constexpr std::size_t kMostInLetter = 256 - sizeof(WireHeader);

inline constexpr std::size_t kMaxWireBytes = sizeof(WireHeader) + kMaxMessageBytes;

/// The window over TCP. Four of the largest messages: enough to keep a stream going, small enough
/// that Control finds a short queue in front of it.
inline constexpr std::uint32_t kWindowBytes = 4 * kMaxWireBytes;
/// The window to a local peer, for what nodes send each other at once: what is large lies in a
/// ring, so that Control waits behind announcements only. With eight packets lu takes 0.955 of the
/// time that it takes with four; 16 are as good.
inline constexpr std::uint32_t kLocalWindowBytes = 8 * kMaxWireBytes;
/// Least cost of a message; bounds their number per window.
inline constexpr std::uint32_t kMinimumCost = 256;
/// A receiver reports what it delivered at the latest when this much is unreported. At most half of
/// the smaller window minus one message, or a sender that waits for room could wait for ever.
inline constexpr std::uint32_t kReportBytes = kWindowBytes / 2;
static_assert(kReportBytes + kMaxWireBytes <= kWindowBytes);

constexpr std::uint32_t messageCost(std::size_t messageBytes) {
  auto bytes = static_cast<std::uint32_t>(messageBytes + sizeof(WireHeader));
  return bytes < kMinimumCost ? kMinimumCost : bytes;
}

/// True when the cumulative count `a` is later than `b`; they are never 2^31 apart.
constexpr bool isLater(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::int32_t>(a - b) > 0;
}

} // namespace ompdsm::fabric
