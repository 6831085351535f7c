// RawProvider.h: a libfabric provider without the transport around it, between two nodes: what the
// network itself takes, as the measure of what is built on it.
#pragma once
#include "fabric/ofi/Rail.h"
#include "test/fabric/NodeRunner.h"
#include <memory>
#include <string>
#include <vector>

namespace ompdsm::bench {

/// Used by one thread.
class RawProvider {
public:
  /// Collective over the two nodes; empty if it worked, else why not.
  std::string open(test::Node &node, const std::string &provider, std::size_t maxMessageBytes);
  /// Writes to every line of the first `bytes` of its buffer, so that they are in this node's
  /// caches alone, as what a program has computed.
  void rewrite(std::size_t bytes);
  /// Sends the first `bytes` of a buffer of its own, and waits until the provider is done with it.
  void send(std::size_t bytes);
  /// Waits for one message.
  void receive();

private:
  void progress();
  std::unique_ptr<fabric::Rail> rail_;
  fi_addr_t peer_ = FI_ADDR_UNSPEC;
  std::vector<std::byte> buffer_;
  fabric::Operation operation_{};
  unsigned arrived_ = 0;
  bool sending_ = false;
};

} // namespace ompdsm::bench
