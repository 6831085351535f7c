// Bootstrap.h: how a node finds its peers and learns that the job ends.
//
// A node that ompdsm-run started finds OMPDSM_NODE (its index), OMPDSM_NODES (how many),
// OMPDSM_RENDEZVOUS (ip:port of the launcher) and OMPDSM_SECRET (hex) in its environment, keeps one
// TCP connection to the launcher, and proves with the secret that it belongs to the job. The
// connection carries the all-gather of start-up and, for the rest of the run, liveness: its end of
// file is the death of the launcher or the end of the job, and the launcher sees a node's death the
// same way. Without OMPDSM_NODES the program is one node and nothing here touches the network.
#pragma once
#include "Status.h"
#include "Transport.h"
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ompdsm::fabric {

struct BootstrapOptions {
  unsigned node = 0;
  unsigned nodes = 1;
  std::string rendezvous; ///< "ip:port" of the launcher.
  std::string secret;     ///< hexadecimal.
  /// Who reports a failure waits, a second at most, until the launcher says that the job ends: of
  /// another one, which has started the processes and ends all when the first is gone, the user
  /// would not hear why.
  bool awaitsEnd = false;
};

/// Reads OMPDSM_NODE and its companions; `nodes` stays 1 when the environment has none. Removes
/// OMPDSM_SECRET from the environment, so that children of the program do not inherit it.
Status readBootstrapEnvironment(BootstrapOptions &options);

class Bootstrap {
public:
  virtual ~Bootstrap() = default;

  /// Connects to the launcher and authenticates; bounded by `timeout`.
  static Status connect(const BootstrapOptions &options, std::chrono::milliseconds timeout,
                        std::unique_ptr<Bootstrap> &bootstrap);

  /// Every node contributes `mine` (at most 64 KiB) and gets all contributions, by node.
  /// Collective: all nodes call it equally often, before watch().
  virtual Status allGather(std::span<const std::byte> mine,
                           std::vector<std::vector<std::byte>> &all,
                           std::chrono::milliseconds timeout) = 0;

  /// Starts the liveness thread (all signals blocked in it). `onJobEnd(reason)` runs on it, at most
  /// once, when the launcher is gone or says that the job ends; it must not return before the
  /// process is on its way out.
  virtual void watch(std::function<void(const std::string &reason)> onJobEnd) = 0;

  /// Tells the launcher why this node is about to exit with an error, so that one message reaches
  /// the user whichever node failed. Async-signal-safe after watch(); at most 1 KiB is kept.
  virtual void reportFailure(const char *message) noexcept = 0;
  /// Tells the launcher that this node ends in order (its end of file is no failure any more).
  virtual void reportDone() noexcept = 0;
};

} // namespace ompdsm::fabric
