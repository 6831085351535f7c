// ForwardingTransport.h: a transport that hands everything to another one, for tests that watch or
// change a part of it.
#pragma once
#include "fabric/Transport.h"

namespace ompdsm::test {

class ForwardingTransport : public fabric::Transport {
public:
  explicit ForwardingTransport(fabric::Transport &inner) : inner_(inner) {}
  NodeId self() const override { return inner_.self(); }
  unsigned nodeCount() const override { return inner_.nodeCount(); }
  std::string_view name() const override { return inner_.name(); }
  fabric::SendResult trySend(NodeId to, fabric::Channel channel,
                             std::span<const fabric::Bytes> parts,
                             fabric::Urgency urgency) override {
    return inner_.trySend(to, channel, parts, urgency);
  }
  unsigned poll(fabric::ChannelSet channels, fabric::Receiver &receiver, unsigned most) override {
    return inner_.poll(channels, receiver, most);
  }
  void sleep(std::chrono::microseconds timeout) override { inner_.sleep(timeout); }
  void wake() override { inner_.wake(); }

private:
  fabric::Transport &inner_;
};

} // namespace ompdsm::test
