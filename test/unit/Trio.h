// Trio.h: three nodes, each with a thread of its own, that one thread of a test plays.
#pragma once
#include "test/unit/Cluster.h"
#include <thread>

namespace ompdsm::test {

struct Trio {
  explicit Trio(ClusterOptions options = threeNodes())
      : cluster(options), home(cluster, 0), one(cluster, 1), two(cluster, 2) {}
  static ClusterOptions threeNodes() {
    ClusterOptions options;
    options.nodes = 3;
    return options;
  }
  /// So many pages that may move, at home at node 0.
  static ClusterOptions migratablePages(std::size_t pages) {
    ClusterOptions options = threeNodes();
    options.areas = {{0, pages * kPageBytes, 0, 8, true}};
    return options;
  }
  /// All nodes' barriers at once.
  void barrier() {
    std::thread a([&] { one.engineBarrier(); }), b([&] { two.engineBarrier(); });
    home.engineBarrier();
    a.join();
    b.join();
  }
  Address at(std::size_t offset) const { return cluster.at(0, offset); }

  Cluster cluster;
  NodeThread home, one, two;
};

} // namespace ompdsm::test
