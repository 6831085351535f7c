// Leagues.cpp: teams one after the other, or as threads of a region.
#include "libompdsm/src/Leagues.h"
#include "libompdsm/src/RegionLaunch.h"
#include "libompdsm/src/Team.h"
#include "libompdsm/src/ThreadContext.h"
#include <utility>

namespace ompdsm {

bool startsSpreadLeague() { return startsSpreadRegion() && !libomp().omp_get_cancellation(); }

LeagueTeam leagueTeam() {
  const RegionFrame *frame = enclosingSpreadFrame();
  if (!frame)
    return currentThread.league;
  const SpreadRegion &region = *frame->region;
  return region.isLeague ? LeagueTeam{frame->globalThread, region.layout.threads, 1}
                         : region.league;
}

RegionFrame *leagueFrame() {
  const ThreadContext &thread = currentThread;
  RegionFrame *frame = thread.frame;
  return frame && frame->region && frame->region->isLeague && thread.serializedDepth == 1 ? frame
                                                                                          : nullptr;
}

void Leagues::begin() { limitOfProgram_ = libomp().omp_get_thread_limit(); }

unsigned Leagues::threadLimit() const {
  if (const unsigned limit = currentThread.league.threadLimit)
    return limit;
  const int limit = libomp().omp_get_thread_limit(); // By __kmpc_set_thread_limit.
  return limit > 0 && limit < limitOfProgram_ ? unsigned(limit) : 0;
}

void Leagues::run(Ident *location, Microtask microtask, const std::vector<void *> &arguments) {
  const LibompShim &shim = libomp();
  const auto atLeast0 = [](int value) { return unsigned(std::max(value, 0)); };
  const LeagueRequest defaults{.fewestTeams = 0,
                               .mostTeams = atLeast0(shim.omp_get_max_teams()),
                               .threadLimit = atLeast0(shim.omp_get_teams_thread_limit())};
  const unsigned threads = team().defaultThreads();
  const LeagueShape shape =
      shapeOf(std::exchange(asked_, {}), defaults, threads, !withoutRegions_.contains(microtask));
  if (!shape.isRegion)
    return runTeams(shape, location, microtask, arguments);
  currentThread.pendingThreads = shape.teams;
  launchSpreadRegion(location, microtask, arguments, RegionKind::League);
}

void Leagues::runTeams(const LeagueShape &shape, Ident *location, Microtask microtask,
                       std::vector<void *> arguments) {
  const LibompShim &shim = libomp();
  Team &ownTeam = team();
  const unsigned threads = ownTeam.defaultThreads();
  const std::uint64_t regions = ownTeam.regionsLaunched();
  for (unsigned number = 0; number < shape.teams; ++number) {
    currentThread.league = {number, shape.teams, shape.threadLimit};
    invokeMicrotask(microtask, shim.__kmpc_global_thread_num(location), 0, arguments);
    // What a team says by omp_set_num_threads is for its own regions.
    if (ownTeam.defaultThreads() != threads)
      ownTeam.setDefaultThreads(threads);
  }
  currentThread.league = {};
  if (shape.teams > 1 && ownTeam.regionsLaunched() == regions)
    withoutRegions_.insert(microtask);
}

} // namespace ompdsm
