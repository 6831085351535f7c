// NodeLinks.h: the connections to the nodes that are in: the all-gather, their reports, the end.
#pragma once
#include "libompdsm/tools/run/Connection.h"
#include <optional>
#include <string>
#include <sys/types.h>

namespace ompdsm::run {

class NodeLinks {
public:
  /// What the nodes say; each with the node's index first.
  struct Listener {
    std::function<void(unsigned node, std::string text)> onReport;
    std::function<void(unsigned node)> onDone;
    std::function<void(unsigned node)> onLost;
  };

  NodeLinks(unsigned nodes, Listener listener) : nodes_(nodes), listener_(std::move(listener)) {}

  void add(unsigned node, std::unique_ptr<Connection> connection);
  /// Tells all nodes that the job ends, once.
  void sendEnd(const std::string &reason);

private:
  struct Link {
    std::unique_ptr<Connection> connection;
    bool ended = false;
    std::optional<std::vector<std::byte>> blob; ///< of the gather that is not complete.
  };
  bool onFrame(unsigned node, const fabric::bootstrap::Frame &frame);
  void finishGather();

  std::vector<Link> nodes_;
  Listener listener_;
  bool endSent_ = false;
};

} // namespace ompdsm::run
