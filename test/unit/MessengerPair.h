// MessengerPair.h: two messengers, one of which sends, and the other notes what comes.
#pragma once
#include "fabric/Loopback.h"
#include "protocol/engine/Messenger.h"
#include <deque>
#include <vector>

namespace ompdsm::test {

inline constexpr auto kSmall = MessageKind(40), kOther = MessageKind(41), kReply = MessageKind(64);

/// Two nodes without service threads; node 1 notes what it gets.
class Pair {
public:
  explicit Pair(fabric::LoopbackLimits limits = {}, bool joins = true)
      : network_(2, limits), sender(network_.node(0), options(joins)),
        receiver(network_.node(1), options(joins)) {
    for (MessageKind kind : {kSmall, kOther, kReply, MessageKind::Invalidate, MessageKind::Get,
                             MessageKind::AtomicPut})
      receiver.setHandler(kind, [this, kind](NodeId, fabric::Bytes body) {
        bodies.emplace_back(body.begin(), body.end());
        kinds.push_back(kind);
      });
  }
  void post(MessageKind kind, std::size_t bytes, std::byte value = {},
            Messenger::Parts stay = Messenger::Parts::MayChange) {
    std::vector<std::byte> body(bytes, value);
    sender.post(1, kind, {body}, fabric::Urgency::Now, stay);
    if (stay == Messenger::Parts::Stay)
      posted_.push_back(std::move(body));
  }
  std::uint64_t packets() const { return sender.packets().packets; }
  std::uint64_t bytesInPackets() const { return sender.packets().bytes; }
  void receiveAll() {
    while (receiver.makeProgress()) {
    }
  }

private:
  static MessengerOptions options(bool joins) {
    MessengerOptions options;
    options.joinMessages = joins;
    options.spinMicroseconds = 0;
    options.serviceThread = false;
    return options;
  }
  fabric::LoopbackNetwork network_;
  std::deque<std::vector<std::byte>> posted_;

public:
  Messenger sender, receiver;
  std::vector<MessageKind> kinds;
  std::vector<std::vector<std::byte>> bodies;
};

} // namespace ompdsm::test
