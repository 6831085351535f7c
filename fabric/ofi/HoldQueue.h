// HoldQueue.h: messages that have arrived on a channel that nobody polls.
//
// The transport takes everything out of the provider, so that one channel cannot stop the others;
// what is not wanted yet waits here. The sender's window bounds it. Used by the polling thread
// only.
#pragma once
#include "../Check.h"
#include "Wire.h"
#include <deque>
#include <vector>

namespace ompdsm::fabric {

class HoldQueue {
public:
  bool isEmpty() const { return messages_.empty(); }
  void push(Bytes message) {
    cost_ += messageCost(message.size());
    OMPDSM_CHECK(cost_ <= kLocalWindowBytes);
    messages_.emplace_back(message.begin(), message.end());
  }
  std::vector<std::byte> pop() {
    std::vector<std::byte> message = std::move(messages_.front());
    messages_.pop_front();
    cost_ -= messageCost(message.size());
    return message;
  }

private:
  std::deque<std::vector<std::byte>> messages_;
  std::uint32_t cost_ = 0; ///< Of all messages held.
};

} // namespace ompdsm::fabric
