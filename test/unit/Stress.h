// Stress.h: random data-race-free programs on a cluster, compared with a reference model.
//
// The shared bytes belong to three classes, mixed inside the same blocks: bytes that each phase
// (between two barriers) gives to one thread or to nobody, bytes that a lock protects, and words
// for atomic operations. A thread accesses what it may, by checks or under permissions that it
// holds since an earlier check (the contract of compiled code), while others release, go offline,
// and do the same in other bytes of the block.
#pragma once
#include "test/unit/Cluster.h"
#include <cstdint>

namespace ompdsm::test {

struct StressOptions {
  ClusterOptions cluster;
  std::uint64_t seed = 1;
  unsigned phases = 20;
  unsigned operationsPerPhase = 200; ///< Of each thread.
  // Shares of the operations; the rest are checked accesses.
  double locks = 0; ///< Critical sections of a few accesses.
  double atomics = 0;
  double releases = 0; ///< Releases and synchronisation points inside a phase.
  double offline = 0;  ///< Going offline and online.
  double holds = 0;    ///< Checks of a range whose permission is held, and accesses under it.
  double overwrites = 0; ///< Ranges that a thread overwrites whole.
  // Canaries: what a broken program or engine would do. A run must fail with any of them.
  bool forgetsReleases = false;   ///< Locks pass from node to node without a release.
  bool forgetsSyncPoints = false; ///< Permissions are used after synchronisation points.
};

/// Runs the program; the answer is empty if every read saw what the model says, else it describes
/// the first that did not.
std::string runStress(const StressOptions &options);

/// A line that says how to run the same program again.
std::string describe(const StressOptions &options);

} // namespace ompdsm::test
