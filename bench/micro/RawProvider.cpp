#include "bench/micro/RawProvider.h"
#include "fabric/Check.h"
#include "fabric/ofi/Provider.h"

namespace ompdsm::bench {

using namespace fabric;

std::string RawProvider::open(test::Node &node, const std::string &provider,
                              std::size_t maxMessageBytes) {
  const StartupShield shield;
  InfoPtr info;
  if (Status status = findProvider(provider, "127.0.0.1", info); !status.isOk())
    return status.message();
  const Rail::Shape shape{.endpoints = 1, .maxMessageBytes = maxMessageBytes, .receiveBuffers = 4};
  if (Status status = Rail::open(std::move(info), shape, rail_); !status.isOk())
    return status.message();
  buffer_.resize(maxMessageBytes, std::byte(1));
  std::vector<std::byte> name;
  std::vector<std::vector<std::byte>> names;
  if (Status status = rail_->endpointName(0, name); !status.isOk())
    return status.message();
  if (!node.area.exchange(node.self, node.nodes, name, names))
    return "the exchange of addresses failed";
  if (Status status = rail_->insertPeer(names[1 - node.self], peer_); !status.isOk())
    return status.message();
  // A connection begins with the first message.
  send(1);
  receive();
  return "";
}

void RawProvider::rewrite(std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += 64)
    buffer_[at] ^= std::byte(1);
}

void RawProvider::send(std::size_t bytes) {
  const Bytes message{buffer_.data(), bytes};
  if (bytes <= rail_->injectBytes()) {
    while (rail_->inject(0, peer_, message) != Rail::Outcome::Done)
      progress();
    return;
  }
  while (rail_->send(0, peer_, message, operation_) != Rail::Outcome::Done)
    progress();
  for (sending_ = true; sending_;)
    progress();
}

void RawProvider::receive() {
  while (arrived_ == 0)
    progress();
  --arrived_;
}

void RawProvider::progress() {
  Rail::Completion completion;
  if (rail_->read(&completion, 1) == 0)
    return;
  OMPDSM_CHECK(!completion.failed);
  if (completion.send)
    sending_ = false;
  else
    ++arrived_;
  rail_->recycle();
}

} // namespace ompdsm::bench
