// MessengerQueue.h: what a messenger has to send to one node on one channel. For the messenger's
// source files.
#pragma once
#include "protocol/engine/Messenger.h"
#include <optional>

namespace ompdsm {

/// Messages up to this size are copied, so that those that follow can go with them: a copy takes
/// less than a microsecond, a packet some. Larger ones leave from where they are.
inline constexpr std::size_t kCopiedBytes = 16 * 1024;

/// What was posted and has not left, in order.
struct Messenger::Queue {
  NodeId to = 0;
  fabric::Channel channel = fabric::Channel::Control;
  std::size_t number = 0; ///< Of its bit in filled_.
  std::mutex mutex; ///< Guards the sending order. Rank: below the engine's lock; above nothing.
  std::deque<std::vector<std::byte>> packets; ///< The last one may still grow.
  std::vector<std::byte> spare;               ///< Empty; so that packets need no allocation.
  std::vector<fabric::Bytes> parts;           ///< Of the message that is posted.
  /// Where the last message of the last packet begins, if others of its kind may join it.
  std::optional<std::size_t> joinable;
  /// Behind the packets, while there is a group: a large message that stays where it is, and what
  /// was posted after it.
  struct Leader {
    MessageHeader header;
    std::vector<fabric::Bytes> parts; ///< Of it: a place for what is queued, the header, the body.
    std::vector<std::byte> followers;
    std::size_t bytes = 0; ///< Of all of it; 0: there is none.
  } leader;
  std::atomic<unsigned> groups{0}; ///< That live.
  /// The transport would not take the first one yet, or it is left for after the next poll.
  bool refused = false;
  /// A handler has posted some of it; else it is a group that its thread has still to flush.
  bool isDue = false;
  StreamCounts posted;                ///< Straight, by way of others, or of another channel.
  fabric::Urgency urgency = {};       ///< Of what is queued.
  std::atomic<unsigned> size{0};      ///< Of packets.
  std::atomic<std::uint64_t> left{0}; ///< How many packets have been in it and were sent.
  // As counted in the messenger:
  bool isFilled = false;
  std::atomic<bool> isBlocked{false};
  unsigned stuckReplies = 0;
};

} // namespace ompdsm
