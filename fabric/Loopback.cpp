// Loopback.cpp: queues in the receiver, one mutex per node.
#include "Loopback.h"
#include "Check.h"
#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <string>

namespace ompdsm::fabric {

/// One node. `mutex_` guards its incoming queues and its sleeping state. No thread holds the
/// mutexes of two nodes, nor any while a Receiver runs.
class LoopbackTransport final : public Transport {
public:
  LoopbackTransport(LoopbackNetwork &network, NodeId self, unsigned nodeCount)
      : network_(network), self_(self), incoming_(nodeCount) {}

  NodeId self() const override { return self_; }
  unsigned nodeCount() const override { return static_cast<unsigned>(incoming_.size()); }
  std::string_view name() const override { return "loopback"; }
  SendResult trySend(NodeId to, Channel channel, std::span<const Bytes> parts,
                     Urgency urgency) override;
  unsigned poll(ChannelSet channels, Receiver &receiver, unsigned maxMessages) override;
  void sleep(std::chrono::microseconds timeout) override;
  void wake() override { signal(); }
  std::size_t undelivered();

private:
  struct Queue {
    std::deque<std::vector<std::byte>> messages;
    std::size_t bytes = 0;
    bool senderBlocked = false; ///< The sender was refused and wants to hear when there is room.
  };
  bool offer(NodeId from, Channel channel, std::vector<std::byte> &message);
  bool take(Channel channel, NodeId &from, std::vector<std::byte> &message, bool &senderBlocked);
  void signal();

  LoopbackNetwork &network_;
  const NodeId self_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::array<Queue, kChannelCount>> incoming_; ///< By sender and channel.
  std::array<std::size_t, kChannelCount> waiting_{};       ///< Messages in incoming_, by channel.
  std::array<NodeId, kChannelCount> nextSender_{};         ///< Where take() looks first: fairness.
  ChannelSet lastPolled_ = kAllChannels;
  bool signalled_ = false; ///< A wake() or an opened window since the last sleep.
};

SendResult LoopbackTransport::trySend(NodeId to, Channel channel, std::span<const Bytes> parts,
                                      Urgency) {
  OMPDSM_CHECK(to != self_ && to < nodeCount());
  std::size_t total = 0;
  for (Bytes part : parts)
    total += part.size();
  OMPDSM_CHECK(total >= 1 && total <= kMaxMessageBytes);
  std::vector<std::byte> message(total);
  std::size_t at = 0;
  for (Bytes part : parts) {
    if (!part.empty())
      std::memcpy(message.data() + at, part.data(), part.size());
    at += part.size();
  }
  return network_.nodes_[to]->offer(self_, channel, message) ? SendResult::Sent
                                                             : SendResult::WouldBlock;
}

bool LoopbackTransport::offer(NodeId from, Channel channel, std::vector<std::byte> &message) {
  std::lock_guard lock(mutex_);
  Queue &queue = incoming_[from][unsigned(channel)];
  const LoopbackLimits &limits = network_.limits_;
  if (!queue.messages.empty() &&
      (queue.messages.size() >= limits.messages || queue.bytes + message.size() > limits.bytes)) {
    queue.senderBlocked = true;
    return false;
  }
  queue.bytes += message.size();
  queue.messages.push_back(std::move(message));
  ++waiting_[unsigned(channel)];
  changed_.notify_one();
  return true;
}

bool LoopbackTransport::take(Channel channel, NodeId &from, std::vector<std::byte> &message,
                             bool &senderBlocked) {
  std::lock_guard lock(mutex_);
  if (waiting_[unsigned(channel)] == 0)
    return false;
  NodeId sender = nextSender_[unsigned(channel)];
  while (incoming_[sender][unsigned(channel)].messages.empty())
    sender = static_cast<NodeId>((sender + 1) % incoming_.size());
  nextSender_[unsigned(channel)] = static_cast<NodeId>((sender + 1) % incoming_.size());
  Queue &queue = incoming_[sender][unsigned(channel)];
  message = std::move(queue.messages.front());
  queue.messages.pop_front();
  queue.bytes -= message.size();
  --waiting_[unsigned(channel)];
  senderBlocked = queue.senderBlocked;
  queue.senderBlocked = false;
  from = sender;
  return true;
}

unsigned LoopbackTransport::poll(ChannelSet channels, Receiver &receiver, unsigned maxMessages) {
  {
    std::lock_guard lock(mutex_);
    lastPolled_ = channels;
  }
  unsigned delivered = 0;
  for (unsigned channel = 0; channel < kChannelCount; ++channel) {
    if (!(channels & channelBit(Channel(channel))))
      continue;
    NodeId from = 0;
    std::vector<std::byte> message;
    bool senderBlocked = false;
    while (delivered < maxMessages && take(Channel(channel), from, message, senderBlocked)) {
      ++delivered;
      receiver.onMessage(from, Channel(channel), message);
      if (senderBlocked)
        network_.nodes_[from]->signal();
    }
  }
  return delivered;
}

void LoopbackTransport::sleep(std::chrono::microseconds timeout) {
  std::unique_lock lock(mutex_);
  // Messages of a channel that the caller has chosen not to poll are no reason to return: it would
  // spin until it changes its mind.
  changed_.wait_for(lock, std::min(timeout, kLongestSleep), [&] {
    for (unsigned channel = 0; channel < kChannelCount; ++channel)
      if ((lastPolled_ & channelBit(Channel(channel))) && waiting_[channel] != 0)
        return true;
    return signalled_;
  });
  signalled_ = false;
}

void LoopbackTransport::signal() {
  std::lock_guard lock(mutex_);
  signalled_ = true;
  changed_.notify_one();
}

std::size_t LoopbackTransport::undelivered() {
  std::lock_guard lock(mutex_);
  std::size_t count = 0;
  for (std::size_t waiting : waiting_)
    count += waiting;
  return count;
}

LoopbackNetwork::LoopbackNetwork(unsigned nodeCount, LoopbackLimits limits) : limits_(limits) {
  OMPDSM_CHECK(nodeCount >= 1 && nodeCount <= 65536 && limits.messages >= 1);
  for (unsigned node = 0; node < nodeCount; ++node)
    nodes_.push_back(
        std::make_unique<LoopbackTransport>(*this, static_cast<NodeId>(node), nodeCount));
}

LoopbackNetwork::~LoopbackNetwork() = default;

Transport &LoopbackNetwork::node(NodeId node) {
  OMPDSM_CHECK(node < nodes_.size());
  return *nodes_[node];
}

std::size_t LoopbackNetwork::undelivered() const {
  std::size_t count = 0;
  for (const auto &node : nodes_)
    count += node->undelivered();
  return count;
}

} // namespace ompdsm::fabric
