// Multicasts.cpp: updates that several nodes get alike, and their places among other messages
// (Multicast.cpp and Outgoing.cpp of the engine; core/Multicast.h).
#include "protocol/sim/simulator/Simulation.h"
#include "protocol/sim/simulator/WireSizes.h"

namespace ompdsm::simulator {

void Simulation::postCommonUpdates(Node &node) {
  for (auto &[first, collected] : node.outgoing) {
    if (collected.updates.empty())
      continue;
    std::vector<NodeId> receivers;
    for (const auto &[other, outgoing] : node.outgoing)
      if (outgoing.updates == collected.updates)
        receivers.push_back(other);
    const std::size_t bytes = wire::kRequestHead + changeBytes(collected.updates);
    if (scenario_.treesOfFew ? receivers.size() < 2 : !isWorthATree(receivers.size(), bytes))
      continue;
    std::vector<Message> group;
    for (const NodeId to : receivers) {
      group.push_back(takeUpdates(node, to, /*acknowledged=*/false));
      group.back().messagesBefore = node.peers[to].posted.onRelayed();
    }
    pass(node.self, group, bytes);
  }
}

void Simulation::pass(NodeId from, std::span<const Message> group, std::size_t bytes) {
  forEachPart(group, [&](std::span<const Message> part) {
    Message message{from, part.front().to, Kind::Multicast};
    auto body = std::make_shared<Body>();
    body->group.assign(part.begin(), part.end());
    body->groupBytes = bytes;
    message.body = std::move(body);
    send(std::move(message), wire::kMulticastHead + part.size() * wire::kReceiver + bytes);
  });
}

void Simulation::onStraight(Message message) {
  StreamOrder<Message> &stream = nodes_[message.to].peers[message.from].stream;
  if (!stream.isNext(message.relayedBefore) && scenario_.multicastsHavePlaces)
    return stream.holdStraight(message.relayedBefore, std::move(message));
  handle(std::move(message));
  stream.onStraight();
  stream.takeHeld([&](const Message &held) { handle(held); });
}

void Simulation::onMulticast(const Message &message) {
  const std::span<const Message> group = message.body->group;
  pass(message.to, group.subspan(1), message.body->groupBytes);
  const Message &own = group.front();
  StreamOrder<Message> &stream = nodes_[own.to].peers[own.from].stream;
  if (!stream.isNextRelayed(own.messagesBefore) && scenario_.multicastsHavePlaces)
    return stream.holdRelayed(own.messagesBefore, own);
  handle(own);
  stream.onRelayed();
  stream.takeHeld([&](const Message &held) { handle(held); });
}

} // namespace ompdsm::simulator
