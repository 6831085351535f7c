// SpreadRegion.h: one node's part of a parallel region that is spread over the nodes.
#pragma once
#include "libompdsm/src/LeagueShape.h"
#include "libompdsm/src/LibompShim.h"
#include "libompdsm/src/TaskNode.h"
#include "libompdsm/src/TeamLayout.h"
#include <cstdint>
#include <memory>
#include <vector>

namespace ompdsm {

class FoldedReductions;

/// Shared by the threads of one node while they execute the region; on the leader's stack.
struct SpreadRegion {
  std::uint64_t sequence = 0; ///< Counts the spread regions of the job from 1.
  TeamLayout layout;
  unsigned node = 0;
  unsigned localThreads = 0;
  unsigned firstThread = 0; ///< Global number of local thread 0.
  /// By local thread. Tasks that a thread leaves behind are executed when it has left its frame.
  std::unique_ptr<TaskNode[]> implicitTasks;
  bool sharesTasks = false; ///< Other nodes may execute its tasks (TaskSharing.h).
  Ident *location = nullptr;
  Microtask microtask = nullptr;
  std::vector<void *> arguments;
  /// Data pointers of the running reduction, by local thread. Written before and read after a local
  /// barrier.
  std::vector<void *> reductionData;
  /// Single constructs that a local thread has claimed; guarded by SingleClaims.
  std::uint64_t singlesClaimed = 0;
  /// Of a folded region (FoldedRegion.h): all its threads are here, one after the other.
  FoldedReductions *folded = nullptr;
  /// Whether local thread 0 measures how long it works (Foldings.h), and what it has measured:
  /// nanoseconds, and when it came to its first reduction, which waits for others; 0: to none.
  bool isWatched = false;
  std::uint64_t useful = 0, reductionBegan = 0;
  LeagueTeam league;     ///< Of the thread that has started it.
  bool isLeague = false; ///< Each thread is a team of a league (LeagueShape.h).

  bool spansNodes() const { return layout.nodesInTeam() > 1; }
};

} // namespace ompdsm
