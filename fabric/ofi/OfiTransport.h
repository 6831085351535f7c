// OfiTransport.h: the Transport over libfabric: shared memory inside a host, TCP between hosts.
//
// Start: create(), give addressBlob() to every other node, connect() with everybody's. From then on
// the contract of Transport.h holds. Before it is destroyed, all nodes must have received what they
// wait for (a barrier above does): a closing TCP endpoint drops what has not been read.
#pragma once
#include "../Status.h"
#include "../Transport.h"
#include "OfiOptions.h"
#include <memory>
#include <vector>

namespace ompdsm::fabric {

class OfiTransport : public Transport {
public:
  /// Loads libfabric, which create() does otherwise; `inside` is then an address in it. Libraries
  /// below it may take signals over.
  static Status loadLibrary(const void *&inside);
  /// Opens the endpoints of this node. Signals are left as they were.
  static Status create(const OfiOptions &options, NodeId self, unsigned nodeCount,
                       std::unique_ptr<OfiTransport> &transport);
  /// What the other nodes need to reach this one; at most 64 KiB.
  virtual std::vector<std::byte> addressBlob() const = 0;
  /// Collective, once, with the blobs of all nodes by node. Returns when every connection stands in
  /// both directions.
  virtual Status connect(const std::vector<std::vector<std::byte>> &blobs) = 0;
};

} // namespace ompdsm::fabric
