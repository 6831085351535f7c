// FoldedRegion.h: a parallel region that node 0 executes by itself ("folded"), though its team has
// the threads of all nodes.
//
// Each of the node's own threads executes the parts of several threads of the team, one part after
// the other, each under its number: what a program can see of its team is what it sees when the
// region is spread, and loops and reductions are split and combined in the same way, to the last
// bit. No other node takes part or hears of it. The pass marks the regions for which that is
// possible (llvm-pass/FoldableRegions.h).
#pragma once
#include "libompdsm/src/ReductionObjects.h"
#include "libompdsm/src/TeamLayout.h"
#include <map>
#include <mutex>
#include <vector>

namespace ompdsm {

struct SpreadRegion;

/// The reductions of a folded region. A thread's private copies end with its part, so that their
/// bytes are kept until all have come.
class FoldedReductions {
public:
  /// `spread`: how the threads would lie on the nodes.
  explicit FoldedReductions(TeamLayout spread) : spread_(spread) {}

  /// True for the last thread that comes to the reduction: its private copies have the result, in
  /// the order of combination of ReductionExchange.
  bool combine(std::uint64_t reduction, unsigned thread, const ReductionCall &call);

private:
  struct Parts {
    std::vector<std::vector<std::byte>> ofThreads;
    unsigned come = 0;
  };

  const TeamLayout spread_;
  std::mutex mutex_; ///< Guards what follows.
  std::map<std::uint64_t, Parts> reductions_;
};

/// Executes all parts of the region, whose layout has one node, by `threads` threads.
void runFolded(SpreadRegion &region, unsigned threads);

} // namespace ompdsm
