// TeamLayout.h: how the threads of a team are dealt to nodes.
#pragma once
#include <algorithm>

namespace ompdsm {

/// How the threads of a team lie on the nodes: contiguous runs, the first nodes get one more.
struct TeamLayout {
  unsigned threads = 1;
  unsigned nodes = 1;

  unsigned threadsOn(unsigned node) const {
    return threads / nodes + (node < threads % nodes ? 1 : 0);
  }
  unsigned firstOn(unsigned node) const {
    return node * (threads / nodes) + std::min(node, threads % nodes);
  }
  /// Nodes 0 .. nodesInTeam()-1 have threads, the others none.
  unsigned nodesInTeam() const { return std::min(threads, nodes); }
};

} // namespace ompdsm
