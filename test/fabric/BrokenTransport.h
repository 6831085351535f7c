// BrokenTransport.h: a transport that breaks a promise on purpose, to show that the conformance
// suite notices.
#pragma once
#include "fabric/Transport.h"
#include <array>
#include <atomic>
#include <string>
#include <vector>

namespace ompdsm::test {

/// `how`: "drop", "duplicate", "corrupt", "truncate" or "swap" (with the next one) every 50th
/// message of a channel; "deaf": sleep does not hear messages; "nowake": wake does nothing;
/// "merge": all channels are one; "clog": when Request is full, the other channels are; "endless":
/// trySend never refuses; "behind": Control is delivered when nothing else is left.
class BrokenTransport final : public fabric::Transport {
public:
  BrokenTransport(fabric::Transport &inner, std::string how);

  NodeId self() const override { return inner_.self(); }
  unsigned nodeCount() const override { return inner_.nodeCount(); }
  std::string_view name() const override { return "broken"; }
  fabric::SendResult trySend(NodeId to, fabric::Channel channel,
                             std::span<const fabric::Bytes> parts,
                             fabric::Urgency urgency) override;
  unsigned poll(fabric::ChannelSet channels, fabric::Receiver &receiver,
                unsigned maxMessages) override;
  void sleep(std::chrono::microseconds timeout) override;
  void wake() override;

private:
  class Saboteur;
  struct Kept {
    NodeId from = 0;
    std::vector<std::byte> bytes;
    bool isFull = false;
  };
  fabric::Transport &inner_;
  const std::string how_;
  std::atomic<bool> clogged_{false};
  std::array<unsigned, fabric::kChannelCount> count_{}; ///< Messages seen, by channel.
  std::array<Kept, fabric::kChannelCount> kept_;        ///< To be delivered after the next one.
  std::vector<Kept> behind_;                            ///< Of Control, when nothing else is left.
};

} // namespace ompdsm::test
