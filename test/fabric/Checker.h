// Checker.h: the receiver of the conformance suite: every message must be the next one of its
// (sender, channel, stream), with the right bytes.
#pragma once
#include "NodeRunner.h"
#include "Payload.h"
#include <atomic>
#include <map>
#include <mutex>
#include <tuple>

namespace ompdsm::test {

class Checker final : public fabric::Receiver {
public:
  void onMessage(NodeId from, fabric::Channel channel, fabric::Bytes message) override {
    ++received_;
    if (!reason_.empty())
      return;
    if (message.size() < kLabelBytes)
      return explain(from, channel, "a message is too short");
    Label label = labelOf(message);
    if (label.from != from || label.channel != unsigned(channel))
      return explain(from, channel, "a message has the wrong sender or channel");
    std::uint64_t expected = next_[{from, channel, label.stream}]++;
    if (channel == fabric::Channel::Control)
      bulkAtControl_ = received(from, fabric::Channel::Request);
    if (label.sequence != expected)
      return explain(from, channel,
                     "message " + std::to_string(label.sequence) + " came instead of " +
                         std::to_string(expected));
    if (!isMessage(message, label))
      explain(from, channel, "message " + std::to_string(expected) + " has wrong bytes");
  }

  std::uint64_t received() const { return received_; }
  /// How many messages have come from `from` on `channel`, of stream 0.
  std::uint64_t received(NodeId from, fabric::Channel channel) const {
    auto found = next_.find({from, channel, std::uint8_t(0)});
    return found == next_.end() ? 0 : found->second;
  }
  /// How many of stream 0 had come on Request when the latest message on Control came.
  std::uint64_t bulkAtControl() const { return bulkAtControl_; }
  /// Why the transport is wrong; empty if it is not.
  const std::string &reason() const { return reason_; }

private:
  void explain(NodeId from, fabric::Channel channel, const std::string &what) {
    reason_ = what + " (from node " + std::to_string(from) + ", channel " +
              std::to_string(unsigned(channel)) + ")";
  }
  std::map<std::tuple<NodeId, fabric::Channel, std::uint8_t>, std::uint64_t> next_;
  std::uint64_t received_ = 0, bulkAtControl_ = 0;
  std::string reason_;
};

/// Sends labelled messages to one peer on one channel.
class Source {
public:
  Source(Node &node, NodeId to, fabric::Channel channel, std::uint8_t stream = 0)
      : node_(node), to_(to), channel_(channel), stream_(stream) {}

  /// Tries to send the next message, with that size (at least kLabelBytes).
  bool trySend(std::uint32_t bytes, fabric::Urgency urgency = fabric::Urgency::Now) {
    // A message that was refused is tried again as it is.
    if (!refused_ || message_.size() != bytes)
      makeMessage({node_.self, static_cast<std::uint8_t>(channel_), stream_, bytes, sent_},
                  message_);
    fabric::Bytes whole = message_;
    // In parts, one of them empty: transports must gather.
    std::size_t cut = bytes / 3;
    fabric::Bytes parts[] = {whole.first(cut), whole.first(0), whole.subspan(cut)};
    refused_ = node_.transport.trySend(to_, channel_, parts, urgency) != fabric::SendResult::Sent;
    if (refused_)
      return false;
    ++sent_;
    bytesSent_ += bytes;
    return true;
  }
  std::uint64_t sent() const { return sent_; }
  std::uint64_t bytesSent() const { return bytesSent_; }

private:
  Node &node_;
  const NodeId to_;
  const fabric::Channel channel_;
  const std::uint8_t stream_;
  std::uint64_t sent_ = 0, bytesSent_ = 0;
  bool refused_ = false;
  std::vector<std::byte> message_;
};

/// Sleeps; false if the sleep ran into its limit, which is a lost wake-up when the caller knows
/// that something must come.
inline bool sleepsInTime(Node &node) {
  auto start = std::chrono::steady_clock::now();
  node.transport.sleep(node.patience);
  return std::chrono::steady_clock::now() - start < node.patience;
}

/// Polls until nothing more has come.
inline void pollAll(Node &node, Checker &checker) {
  while (node.transport.poll(fabric::kAllChannels, checker, 16) != 0) {
  }
}

/// The same by several threads of a node; tells what it has received by then.
class PollInTurns {
public:
  PollInTurns(Node &node, Checker &checker, std::atomic<std::uint64_t> &received)
      : node_(node), checker_(checker), received_(received) {}
  void operator()() {
    const std::lock_guard lock(mutex_);
    pollAll(node_, checker_);
    received_.store(checker_.received());
  }

private:
  Node &node_;
  Checker &checker_;
  std::atomic<std::uint64_t> &received_;
  std::mutex mutex_;
};

/// Polls until all nodes have come here, so that what others still need of this node is done.
/// Returns the checker's or the test's reason to fail.
inline std::string finish(Node &node, Checker &checker) {
  if (!checker.reason().empty())
    return checker.reason();
  std::uint32_t ticket = node.area.arrive(node.nodes);
  while (!node.area.hasPassed(ticket)) {
    if (node.area.hasFailed())
      return "another node failed";
    if (node.transport.poll(fabric::kAllChannels, checker, 64) == 0)
      node.transport.sleep(std::chrono::microseconds(500));
  }
  return checker.reason();
}

} // namespace ompdsm::test
