// Multicast.h: the same message to several nodes, by a tree: who has it passes it on to some of the
// others, and what reaches a node by way of others keeps its place among what came straight.
//
// Who sends n messages of b bytes itself is done after n (o + b G) in the model LogGP; a binomial
// tree takes log2(n + 1) (L + 2 o + b G), and of its root as many messages. Source: Karp, Sahay,
// Santos, Schauser, "Optimal broadcast and summation in the LogP model" (SPAA 1993), for small
// messages.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ompdsm {

/// Whether a message of so many bytes to so many nodes goes by a tree.
constexpr bool isWorthATree(std::size_t receivers, std::size_t bytes) {
  constexpr std::size_t kFew = 3, kLarge = 4096, kMany = 16;
  return receivers >= kMany || (receivers >= kFew && bytes >= kLarge);
}

/// Calls pass(part) for the parts of `receivers` to which a node that has the message sends it: the
/// first of a part gets it, and passes it on to the rest of the part in the same way.
template <class Receiver, class Pass>
void forEachPart(std::span<const Receiver> receivers, Pass pass) {
  while (!receivers.empty()) {
    const std::size_t rest = receivers.size() / 2;
    pass(receivers.subspan(rest));
    receivers = receivers.first(rest);
  }
}

/// What a node has posted to another on one channel. Numbers wrap around.
struct StreamCounts {
  std::uint32_t messages = 0; ///< Straight or by way of others (or of another channel).
  std::uint16_t relayed = 0;  ///< Of these, by way of others.

  /// How many of the former were before this one.
  std::uint32_t onRelayed() {
    ++relayed;
    return messages++;
  }
  /// How many of the latter.
  std::uint16_t onStraight() {
    ++messages;
    return relayed;
  }
};

/// At the receiver: the same messages in their order. What comes straight keeps its order among
/// itself, and says how many of the others are before it; the others say how many of all are.
template <class Message> class StreamOrder {
public:
  bool isNext(std::uint16_t relayedBefore) const {
    return relayedBefore == taken_.relayed && first_ == straight_.size();
  }
  bool isNextRelayed(std::uint32_t messagesBefore) const {
    return messagesBefore == taken_.messages;
  }
  /// It was next, and is taken.
  void onStraight() { taken_.onStraight(); }
  void onRelayed() { taken_.onRelayed(); }
  /// It was not.
  void holdStraight(std::uint16_t relayedBefore, Message message) {
    if (2 * first_ >= straight_.size()) {
      straight_.erase(straight_.begin(), straight_.begin() + std::ptrdiff_t(first_));
      first_ = 0;
    }
    straight_.emplace_back(relayedBefore, std::move(message));
  }
  void holdRelayed(std::uint32_t messagesBefore, Message message) {
    relayed_.emplace_back(messagesBefore, std::move(message));
  }
  /// Calls take(message) for what was held and is next now.
  template <class Take> void takeHeld(Take take) {
    while (takeStraight(take) || takeRelayed(take)) {
    }
  }
  std::size_t held() const { return straight_.size() - first_ + relayed_.size(); }

private:
  template <class Take> bool takeStraight(Take &take) {
    if (first_ == straight_.size() || straight_[first_].first != taken_.relayed)
      return false;
    const Message message = std::move(straight_[first_++].second);
    take(message);
    onStraight();
    return true;
  }
  template <class Take> bool takeRelayed(Take &take) {
    for (std::size_t i = 0; i < relayed_.size(); ++i)
      if (isNextRelayed(relayed_[i].first)) {
        const Message message = std::move(relayed_[i].second);
        relayed_.erase(relayed_.begin() + std::ptrdiff_t(i));
        take(message);
        onRelayed();
        return true;
      }
    return false;
  }

  StreamCounts taken_;
  /// In order, from first_ on. A std::deque takes half a kilobyte when it is empty, and there is
  /// one of these for each pair of nodes.
  std::vector<std::pair<std::uint16_t, Message>> straight_;
  std::size_t first_ = 0;
  std::vector<std::pair<std::uint32_t, Message>> relayed_; ///< In any order.
};

} // namespace ompdsm
