// Barrier.cpp: barriers of a spread region.
#include "libompdsm/src/Barrier.h"
#include "libompdsm/src/Team.h"
#include "libompdsm/src/ThreadContext.h"

namespace ompdsm {

void barrierOfNode(Ident *location, std::int32_t gtid, const RegionFrame &frame) {
  if (frame.region->localThreads > 1)
    libomp().__kmpc_barrier(location, gtid);
}

void barrierOfTeam(Ident *location, std::int32_t gtid, RegionFrame &frame, const void *code) {
  if (frame.localThread == 0) {
    barrierOfNode(location, gtid, frame); // All other threads of the node are offline.
    team().barrierAcrossNodes(*frame.region, location, Join::No, code);
    team().iterationFlags().endLoops(frame);
    barrierOfNode(location, gtid, frame);
    return;
  }
  OfflineScope waiting;
  barrierOfNode(location, gtid, frame);
  barrierOfNode(location, gtid, frame);
  setReleaseOwed(false);
}

} // namespace ompdsm
