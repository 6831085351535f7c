// Duo.h: two nodes, each with a thread of its own, that one thread of a test plays; node 1 can wait
// in a barrier while the test goes on with other threads.
#pragma once
#include "test/unit/Cluster.h"
#include <thread>

namespace ompdsm::test {

struct Duo {
  explicit Duo(const ClusterOptions &options = {})
      : cluster(options), home(cluster, 0), one(cluster, 1) {}
  /// Both nodes' barriers at once.
  void barrier(SiteId site = kNoSite) {
    std::thread other([&] { one.engineBarrier(site); });
    home.engineBarrier(site);
    other.join();
  }
  /// Node 1 has flushed and waits in its barrier from now on: it wants no answers, and asks
  /// nothing.
  void oneArrives() {
    arrived_ = std::thread([&] { one.engineBarrier(); });
    while (!cluster.engine(1).isInBarrier())
      std::this_thread::yield();
  }
  /// Ends the barrier that node 1 waits in.
  void homeFollows() {
    home.engineBarrier();
    arrived_.join();
  }
  Address at(std::size_t offset) const { return cluster.at(0, offset); }

  Cluster cluster;
  NodeThread home, one;

private:
  std::thread arrived_;
};

} // namespace ompdsm::test
