// Fault.h: a decorator that makes any transport slow, moody and, if asked, disorderly.
//
// It keeps every guarantee of Transport.h (but order, in relaxed mode), so that what runs on it
// must work: delays reorder channels and pairs against each other, and refused sends must be tried
// again. Messages are held back at the receiver: at most kMaxHeld per channel, then the channel is
// not polled, which is back-pressure as usual. Where it is told the same seed and called in the
// same order, it does the same.
#pragma once
#include "Status.h"
#include "Transport.h"
#include <array>
#include <atomic>
#include <deque>
#include <mutex>
#include <string_view>
#include <vector>

namespace ompdsm::fabric {

struct FaultOptions {
  std::chrono::microseconds delayMin{0};
  std::chrono::microseconds delayMax{0}; ///< Each message is held for a time between the two.
  double blockProbability = 0;           ///< Of a trySend to answer WouldBlock; below 1.
  std::uint64_t seed = 1;
  bool keepsOrder = true; ///< False breaks the order per channel, for tests that must notice.

  /// Reads "delay=0..500us,block=0.1,seed=7,order=relaxed"; what is not named stays.
  static Status parse(std::string_view text, FaultOptions &options);
};

class FaultTransport final : public Transport {
public:
  /// `inner` must outlive this.
  FaultTransport(Transport &inner, FaultOptions options);

  static constexpr std::size_t kMaxHeld = 256;

  NodeId self() const override { return inner_.self(); }
  unsigned nodeCount() const override { return inner_.nodeCount(); }
  std::string_view name() const override { return name_; }
  SendResult trySend(NodeId to, Channel channel, std::span<const Bytes> parts,
                     Urgency urgency) override;
  unsigned poll(ChannelSet channels, Receiver &receiver, unsigned maxMessages) override;
  void sleep(std::chrono::microseconds timeout) override;
  void wake() override { inner_.wake(); }
  void beginPolling() override { inner_.beginPolling(); }
  void endPolling() override { inner_.endPolling(); }
  bool wantsLook() const override { return inner_.wantsLook(); }
  void insist() override { inner_.insist(); }
  SharedPage attention() const override { return inner_.attention(); }
  void beginWaiting() override { inner_.beginWaiting(); }
  void endWaiting() override { inner_.endWaiting(); }

private:
  using Clock = std::chrono::steady_clock;
  struct Held {
    Clock::time_point due;
    std::vector<std::byte> bytes;
  };
  class Collector; ///< The inner transport's receiver: puts messages aside.

  std::uint64_t random() const;
  /// Removes a message that is due from the queue of (`from`, `channel`), if there is one.
  bool takeDue(NodeId from, unsigned channel, Clock::time_point now, Held &held);
  unsigned deliverDue(ChannelSet channels, Receiver &receiver, unsigned maxMessages);
  /// When the next held message of a polled channel is due, in ticks of Clock; kNever if none.
  void updateNextDue(ChannelSet channels);

  static constexpr Clock::rep kNever = Clock::duration::max().count();

  Transport &inner_;
  const FaultOptions options_;
  const std::string name_;
  mutable std::atomic<std::uint64_t> drawn_{0}; ///< Random numbers drawn so far.
  // The polling thread's, as the caller serialises poll.
  std::vector<std::array<std::deque<Held>, kChannelCount>> held_; ///< By sender and channel.
  std::array<std::size_t, kChannelCount> heldCount_{};
  std::atomic<Clock::rep> nextDue_{kNever};
  std::atomic<bool> sleeping_{
      false}; ///< Partner of nextDue_: each is set before the other is read.
};

} // namespace ompdsm::fabric
