// Single.h: which thread of the whole team executes a single construct.
//
// Inside a node the first thread that arrives claims for the node; nodes claim at node 0, which
// grants the first. Threads meet singles in the same order, so constructs are named by their
// number, however many nowait singles are under way.
//
// Where a barrier follows, nobody gains by who is first, and what the construct writes had better
// be written by the same node each time: then its homes stay, and others are sent what they read.
// So the other nodes leave such a construct to node 0, which need not know: it claims all of them.
// The pass knows most (llvm-pass/WaitedSingles.h); of other code that a barrier follows is seen
// there, so it is left to node 0 from the second time on.
#pragma once
#include "fabric/Transport.h"
#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <unordered_set>
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
  /// True for exactly one thread of the team; counts the construct in the frame. `site`: where the
  /// program has it; null: a barrier follows, as the pass has seen.
  bool claim(RegionFrame &frame, const void *site);
  /// A barrier follows the latest construct that the thread has met.
  void noteBarrier(RegionFrame &frame);

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
  std::unordered_set<const void *> waiting_; ///< Other nodes: sites that a barrier follows.
  std::uint64_t region_ = 0;                 ///< Node 0: the running region,
  std::uint64_t claimed_ = 0;                ///< how many of its single constructs are claimed,
  std::set<std::uint64_t>
      beyond_; ///< and which of later ones, by nodes that left some to this one.
};

} // namespace ompdsm
