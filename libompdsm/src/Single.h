// Single.h: which thread of the whole team executes a single construct.
//
// Inside a node the first thread that arrives claims for the node; nodes claim at node 0, which
// grants the first. Threads meet singles in the same order, so a counter on each level is the whole
// state, however many nowait singles are under way.
#pragma once
#include "fabric/Transport.h"
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace ompdsm {

struct Runtime;
struct RegionFrame;

class SingleClaims {
public:
  explicit SingleClaims(Runtime &runtime) : runtime_(runtime) {}
  void registerHandlers();
  /// Node 0, before a region's fork is sent.
  void beginRegion(std::uint64_t region);
  /// True for exactly one thread of the team; counts the construct in the frame.
  bool claim(RegionFrame &frame);

private:
  struct Waiter {
    std::uint64_t region = 0;
    std::uint64_t construct = 0;
    std::atomic<int> answer{-1}; ///< -1 while unknown, else 0 or 1.
  };
  bool claimForNode(std::uint64_t region, std::uint64_t construct); ///< At node 0, under mutex_.

  Runtime &runtime_;
  std::mutex mutex_; ///< Guards all below and SpreadRegion::singlesClaimed; held while posting, so
                     ///< that a node's claims leave in the order of the constructs. No lock inside.
  std::vector<Waiter *> waiters_; ///< One for each local thread at most.
  std::uint64_t region_ = 0;      ///< Node 0: the running region,
  std::uint64_t claimed_ = 0;     ///< and how many of its single constructs are claimed.
};

} // namespace ompdsm
