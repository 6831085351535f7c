// NodeLinks.cpp: what the launcher does with the frames of authenticated nodes.
#include "libompdsm/tools/run/NodeLinks.h"
#include <algorithm>

namespace ompdsm::run {

using namespace fabric::bootstrap;

void NodeLinks::add(unsigned node, std::unique_ptr<Connection> connection) {
  nodes_[node].connection = std::move(connection);
  nodes_[node].connection->setHandlers(
      [this, node](const Frame &frame) { return onFrame(node, frame); },
      [this, node](Connection::Ended why) {
        nodes_[node].ended = true;
        if (why == Connection::Ended::Malformed)
          listener_.onReport(node, "it broke the protocol of the rendezvous; are ompdsm-run and "
                                   "libompdsm of one installation?");
        else
          listener_.onLost(node);
      });
}

bool NodeLinks::onFrame(unsigned node, const Frame &frame) {
  switch (frame.type) {
  case MessageType::Gather:
    if (nodes_[node].blob)
      return false; // a second contribution before the first was answered
    nodes_[node].blob.emplace(frame.payload.begin(), frame.payload.end());
    finishGather();
    return true;
  case MessageType::Failure:
    listener_.onReport(node, decodeText(frame));
    return true;
  case MessageType::Done:
    listener_.onDone(node);
    return true;
  default:
    return false;
  }
}

void NodeLinks::finishGather() {
  if (!std::all_of(nodes_.begin(), nodes_.end(),
                   [](const Link &link) { return link.blob.has_value(); }))
    return;
  auto result = std::make_shared<std::vector<std::byte>>();
  for (unsigned node = 0; node < nodes_.size(); ++node) {
    appendGatherPart(*result, {static_cast<std::uint16_t>(node), *nodes_[node].blob});
    nodes_[node].blob.reset();
  }
  for (Link &link : nodes_)
    if (!link.ended)
      link.connection->send(result);
}

void NodeLinks::sendEnd(const std::string &reason) {
  if (std::exchange(endSent_, true))
    return;
  auto bytes = std::make_shared<std::vector<std::byte>>();
  appendText(*bytes, MessageType::End, reason);
  for (Link &link : nodes_)
    if (link.connection && !link.ended)
      link.connection->send(bytes);
}

} // namespace ompdsm::run
