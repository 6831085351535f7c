// Barrier.cpp: barriers of a spread region.
#include "libompdsm/src/Barrier.h"
#include "libompdsm/src/Team.h"
#include "libompdsm/src/ThreadContext.h"

namespace ompdsm {

void barrierOfNode(Ident *location, std::int32_t gtid, const RegionFrame &frame) {
  if (frame.region->localThreads > 1)
    libomp().__kmpc_barrier(location, gtid);
}

namespace {
/// The leader's part: it waits for tasks of other nodes, too.
void leadToBarrier(Ident *location, std::int32_t gtid, RegionFrame &frame, const void *code) {
  const auto meet = [&] { barrierOfNode(location, gtid, frame); };
  if (frame.region->sharesTasks)
    team().tasks().awaitAll(frame, gtid, code, meet);
  else
    meet(); // All other threads of the node are offline then.
}

/// The other threads'.
void followToBarrier(Ident *location, std::int32_t gtid, RegionFrame &frame) {
  if (frame.region->sharesTasks)
    team().tasks().noteArrival(frame);
  barrierOfNode(location, gtid, frame);
}
} // namespace

void awaitTasksOfTeam(Ident *location, std::int32_t gtid, RegionFrame &frame, const void *code) {
  if (!frame.region->sharesTasks)
    return;
  if (frame.localThread == 0)
    leadToBarrier(location, gtid, frame, code);
  else
    followToBarrier(location, gtid, frame);
}

void awaitTasksOfNode(Ident *location, std::int32_t gtid, RegionFrame &frame) {
  if (frame.localThread != 0 || !frame.region->sharesTasks)
    return followToBarrier(location, gtid, frame);
  team().tasks().awaitNode(frame, gtid, [&] { barrierOfNode(location, gtid, frame); });
}

void barrierOfTeam(Ident *location, std::int32_t gtid, RegionFrame &frame, const void *code) {
  if (frame.region->folded)
    return; // The last thing in a part: the region's end is one, too.
  if (frame.localThread == 0) {
    leadToBarrier(location, gtid, frame, code);
    team().barrierAcrossNodes(*frame.region, location, Join::No, code);
    team().iterationFlags().endLoops(frame);
    barrierOfNode(location, gtid, frame);
    return;
  }
  const OfflineScope waiting;
  followToBarrier(location, gtid, frame);
  barrierOfNode(location, gtid, frame);
  setReleaseOwed(false);
}

} // namespace ompdsm
