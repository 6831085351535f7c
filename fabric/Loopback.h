// Loopback.h: an in-process network, for tests of everything above the fabric.
//
// Every guarantee of Transport.h holds, with any number of threads per node, and without a system
// call but for sleeping, so that the layers above can be run under ThreadSanitizer. What a node has
// in flight to another one is bounded per (sender, receiver, channel) by LoopbackLimits.
#pragma once
#include "Transport.h"
#include <memory>
#include <vector>

namespace ompdsm::fabric {

/// How much a sender may have undelivered per (receiver, channel). Small limits make back-pressure
/// frequent in tests; one message always fits.
struct LoopbackLimits {
  unsigned messages = 256;
  std::size_t bytes = 4 * kMaxMessageBytes;
};

class LoopbackTransport;

/// Owns the transports of `nodeCount` nodes; must outlive every use of them.
class LoopbackNetwork {
public:
  explicit LoopbackNetwork(unsigned nodeCount, LoopbackLimits limits = {});
  ~LoopbackNetwork();
  LoopbackNetwork(const LoopbackNetwork &) = delete;
  LoopbackNetwork &operator=(const LoopbackNetwork &) = delete;

  unsigned nodeCount() const { return static_cast<unsigned>(nodes_.size()); }
  Transport &node(NodeId node);
  /// Messages that were sent and not yet delivered, for tests of bounds and of draining.
  std::size_t undelivered() const;

private:
  friend class LoopbackTransport;
  const LoopbackLimits limits_;
  std::vector<std::unique_ptr<LoopbackTransport>> nodes_;
};

} // namespace ompdsm::fabric
