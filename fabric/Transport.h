// Transport.h: the abstract network between the nodes of a job.
//
// Guarantees of every implementation:
//  - reliable, and ordered per (sender, receiver, channel); no order between channels;
//  - bounded: trySend answers WouldBlock instead of queueing without limit (back-pressure), and a
//    channel that the receiver does not poll stops its senders without stopping other channels;
//  - trySend never blocks, never calls the receiver back, and may be called by any thread;
//  - poll, and with it everything a Receiver does, runs on one thread at a time (the caller
//    serialises); one thread may be in sleep meanwhile; wake may be called by any thread;
//  - a message is delivered whole, once, and its bytes are valid only during onMessage.
// A peer's death is not reported here (libfabric does not tell): liveness is Bootstrap's.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace ompdsm {

/// Index of a node of the job, 0 .. nodeCount-1.
using NodeId = std::uint16_t;

namespace fabric {

/// Independent ordered streams of each pair of nodes.
///  Control: small messages (barriers, locks, fork): never waits behind the others.
///  Request: what a home is asked for (fetch, put, atomic). A receiver may stop polling it
///           while its own replies are stuck; that is the back-pressure of the protocol.
///  Reply:   what a home answers or tells (data, invalidations, acknowledgements). A receiver
///           always polls it, and its processing needs no resource, so that it always drains.
enum class Channel : std::uint8_t { Control = 0, Request = 1, Reply = 2 };
inline constexpr unsigned kChannelCount = 3;

/// Set of channels, one bit each.
using ChannelSet = std::uint8_t;
constexpr ChannelSet channelBit(Channel c) { return static_cast<ChannelSet>(1u << unsigned(c)); }
inline constexpr ChannelSet kAllChannels = (1u << kChannelCount) - 1;

/// Largest message, in bytes, headers of the layers above included.
inline constexpr std::size_t kMaxMessageBytes = 64 * 1024 + 512;

using Bytes = std::span<const std::byte>;

/// Sleeps are cut to this, so that any timeout can be added to any clock.
inline constexpr std::chrono::microseconds kLongestSleep = std::chrono::hours(1);

class Receiver {
public:
  virtual void onMessage(NodeId from, Channel channel, Bytes message) = 0;

protected:
  ~Receiver() = default;
};

enum class SendResult : std::uint8_t { Sent, WouldBlock };

/// When the receiver has to see a message, from the least on.
enum class Urgency : std::uint8_t {
  WhenWaiting, ///< It need not be woken, unless one of its threads waits (beginWaiting).
  /// Who sends it polls until the answer comes, and says so if that takes long (insist): a thread
  /// of the receiver that computes may see the attention flag before, for much less than a wake
  /// costs.
  WhenSeen,
  Now,
};

/// A page of shared memory, as large as the machine has them.
struct SharedPage {
  int file = -1; ///< None.
  std::size_t offset = 0;
};
/// Where in its page the attention flag is. What else is there is 0.
inline constexpr std::size_t kAttentionOffset = 512;

class Transport {
public:
  virtual ~Transport() = default;
  virtual NodeId self() const = 0;
  virtual unsigned nodeCount() const = 0;
  /// Human-readable name for statistics and messages, e.g. "shm", "tcp (net)", "loopback".
  virtual std::string_view name() const = 0;

  /// Sends the concatenation of `parts` (total 1 .. kMaxMessageBytes bytes) to `to` != self().
  /// Sent: copied or handed over, the parts may be reused. WouldBlock: nothing was sent; try again
  /// after progress (poll).
  virtual SendResult trySend(NodeId to, Channel channel, std::span<const Bytes> parts,
                             Urgency urgency) = 0;
  SendResult trySend(NodeId to, Channel channel, std::span<const Bytes> parts) {
    return trySend(to, channel, parts, Urgency::Now);
  }

  /// Makes progress and delivers at most `maxMessages` messages of the channels in `channels`,
  /// Control first. Returns the number delivered. Never blocks.
  virtual unsigned poll(ChannelSet channels, Receiver &receiver, unsigned maxMessages) = 0;

  /// Sleeps in the kernel until a message may have arrived, a blocked send may go on, wake() is
  /// called, or `timeout` has passed. Callers poll after it. Spurious returns are allowed, lost
  /// wake-ups are not: a message sent before the call, or a wake() since the last sleep, makes it
  /// return at once. Only messages of the channels of the latest poll count: who decides to poll
  /// more of them polls, or calls wake(), before it relies on a sleep.
  virtual void sleep(std::chrono::microseconds timeout) = 0;
  virtual void wake() = 0;

  /// A thread that polls in a loop brackets it with these: senders then need not wake the thread
  /// that sleeps. The polling thread must look once more (poll) after beginPolling(). Calls nest
  /// across threads. Optional: only a matter of speed. What comes within half a millisecond after
  /// the last of many short pollings may end a sleep as late as that.
  virtual void beginPolling() {}
  virtual void endPolling() {}
  /// Whether the thread that sleeps might be woken at the end of polling: completions of this
  /// node's own sends are still to come, or what others wait for. Who ends polling then had better
  /// poll once more.
  virtual bool wantsLook() const { return false; }

  /// Wakes the nodes that something was sent WhenSeen and that have not looked since. Who has sent
  /// so calls it when it has polled for some time, and before it stops to poll.
  virtual void insist() {}
  /// The page of the flag, which is not 0 while a message that was sent WhenSeen waits for this
  /// node to poll. The file stays this transport's.
  virtual SharedPage attention() const { return {}; }

  /// A thread that waits for a message without polling, while another sleeps, brackets it with
  /// these: all that has come or comes ends the sleep. Calls nest across threads. Without them what
  /// was sent WhenWaiting may wait until somebody polls.
  virtual void beginWaiting() {}
  virtual void endWaiting() {}
};

} // namespace fabric
} // namespace ompdsm
