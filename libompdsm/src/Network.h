// Network.h: the transport of the job: libfabric's, under the decorators that the options ask for.
//
// Opened once at start, by the thread that builds the runtime; closed at the end of the job.
#pragma once
#include "fabric/Bootstrap.h"
#include "libompdsm/src/AddressSpace.h"
#include "libompdsm/src/Options.h"
#include <memory>
#include <vector>

namespace ompdsm {

/// Loads libfabric. `range` is where it lies: neither its threads nor its accesses are the
/// program's. Before the program's own code runs.
Status loadNetworkLibrary(AddressRange &range);

class Network {
public:
  /// Collective over all nodes. `rendezvous` is the launcher's "ip:port".
  static Status open(const Options &options, const std::string &rendezvous, NodeId node,
                     unsigned nodes, fabric::Bootstrap &bootstrap,
                     std::unique_ptr<Network> &network);
  ~Network();
  Network(const Network &) = delete;
  Network &operator=(const Network &) = delete;

  fabric::Transport &transport() const { return *layers_.back(); }

private:
  Network() = default;
  std::vector<std::unique_ptr<fabric::Transport>> layers_; ///< Each is on the one before.
};

} // namespace ompdsm
