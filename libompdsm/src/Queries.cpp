// Queries.cpp: the omp_* routines about teams whose answers change when a team spans nodes, under
// their C and their Fortran names.
//
// A spread region is one level for libomp, too, so levels are libomp's; numbers and sizes of level
// 1 are ours, also when a nested region asks for its ancestor.
#include "libompdsm/src/Checks.h"
#include "libompdsm/src/Export.h"
#include "libompdsm/src/Leagues.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/Team.h"
#include "libompdsm/src/ThreadContext.h"

using namespace ompdsm;

namespace {

/// Whether the calling thread is inside a team that is a thread of a region (LeagueShape.h): for
/// libomp in two levels more than for the program, the region's and one in which it is alone.
bool isInLeague() {
  const RegionFrame *frame = enclosingSpreadFrame();
  return frame && frame->region->isLeague;
}
constexpr int kLevelsOfLeague = 2;

} // namespace

OMPDSM_EXPORT int omp_get_thread_num() {
  if (const RegionFrame *frame = spreadFrame())
    return int(frame->globalThread);
  return libomp().omp_get_thread_num();
}

OMPDSM_EXPORT int omp_get_num_threads() {
  if (const RegionFrame *frame = spreadFrame())
    return int(frame->region->layout.threads);
  return libomp().omp_get_num_threads();
}

// A node whose part of the team has one thread is still in a parallel region.
OMPDSM_EXPORT int omp_in_parallel() {
  if (isInLeague())
    return 0; // Its teams have one thread.
  return enclosingSpreadFrame() ? 1 : libomp().omp_in_parallel();
}

OMPDSM_EXPORT int omp_get_max_threads() {
  if (isInLeague())
    return 1;
  if (!startsSpreadRegion())
    return libomp().omp_get_max_threads();
  const unsigned threads = team().defaultThreads(), limit = team().leagues().threadLimit();
  return int(limit ? std::min(threads, limit) : threads);
}

OMPDSM_EXPORT void omp_set_num_threads(int threads) {
  if (startsSpreadRegion() && threads > 0)
    return team().setDefaultThreads(unsigned(threads));
  libomp().omp_set_num_threads(threads);
}

// libomp writes what it is asked for without a check.
OMPDSM_EXPORT void omp_get_schedule(int *kind, int *chunk) {
  ensureWrite(kind, sizeof *kind);
  ensureWrite(chunk, sizeof *chunk);
  libomp().omp_get_schedule(kind, chunk);
}
OMPDSM_EXPORT void omp_get_schedule_(int *kind, int *chunk) { omp_get_schedule(kind, chunk); }

// A spread region has exactly the threads that were asked for, so libomp's own dyn-var stays false.
OMPDSM_EXPORT void omp_set_dynamic(int dynamic) {
  if (jobIsSpread())
    team().setDynamic(dynamic != 0);
  else
    libomp().omp_set_dynamic(dynamic);
}

OMPDSM_EXPORT int omp_get_dynamic() {
  return jobIsSpread() ? team().isDynamic() : libomp().omp_get_dynamic();
}

OMPDSM_EXPORT int omp_get_num_procs() {
  return jobIsSpread() ? int(runtime()->hostCores.ofJob) : libomp().omp_get_num_procs();
}

// libomp does not count a level of one thread as active; on a node with one thread the spread
// region's level is.
OMPDSM_EXPORT int omp_get_active_level() {
  if (isInLeague())
    return 0;
  int level = libomp().omp_get_active_level();
  const RegionFrame *frame = enclosingSpreadFrame();
  return frame && frame->region->localThreads == 1 ? level + 1 : level;
}

OMPDSM_EXPORT int omp_get_level() {
  return libomp().omp_get_level() - (isInLeague() ? kLevelsOfLeague : 0);
}

OMPDSM_EXPORT int omp_get_ancestor_thread_num(int level) {
  if (isInLeague() && level > 0)
    return libomp().omp_get_ancestor_thread_num(level + kLevelsOfLeague);
  const RegionFrame *frame = enclosingSpreadFrame();
  if (frame && level == 1)
    return int(frame->globalThread);
  return libomp().omp_get_ancestor_thread_num(level);
}

OMPDSM_EXPORT int omp_get_team_size(int level) {
  if (isInLeague() && level > 0)
    return libomp().omp_get_team_size(level + kLevelsOfLeague);
  const RegionFrame *frame = enclosingSpreadFrame();
  if (frame && level == 1)
    return int(frame->region->layout.threads);
  return libomp().omp_get_team_size(level);
}

OMPDSM_EXPORT int omp_get_num_teams() {
  const LeagueTeam team = leagueTeam();
  return team.teams ? int(team.teams) : libomp().omp_get_num_teams();
}

OMPDSM_EXPORT int omp_get_team_num() {
  const LeagueTeam team = leagueTeam();
  return team.teams ? int(team.number) : libomp().omp_get_team_num();
}

OMPDSM_EXPORT int omp_get_thread_limit() {
  const unsigned limit = leagueTeam().threadLimit;
  return limit ? int(limit) : libomp().omp_get_thread_limit();
}

// Fortran passes arguments by reference.
OMPDSM_EXPORT int omp_get_thread_num_() { return omp_get_thread_num(); }
OMPDSM_EXPORT int omp_get_num_threads_() { return omp_get_num_threads(); }
OMPDSM_EXPORT int omp_in_parallel_() { return omp_in_parallel(); }
OMPDSM_EXPORT int omp_get_max_threads_() { return omp_get_max_threads(); }
OMPDSM_EXPORT void omp_set_num_threads_(const int *threads) { omp_set_num_threads(*threads); }
OMPDSM_EXPORT void omp_set_dynamic_(const int *dynamic) { omp_set_dynamic(*dynamic); }
OMPDSM_EXPORT int omp_get_dynamic_() { return omp_get_dynamic(); }
OMPDSM_EXPORT int omp_get_num_procs_() { return omp_get_num_procs(); }
OMPDSM_EXPORT int omp_get_active_level_() { return omp_get_active_level(); }
OMPDSM_EXPORT int omp_get_ancestor_thread_num_(const int *level) {
  return omp_get_ancestor_thread_num(*level);
}
OMPDSM_EXPORT int omp_get_team_size_(const int *level) { return omp_get_team_size(*level); }
OMPDSM_EXPORT int omp_get_level_() { return omp_get_level(); }
OMPDSM_EXPORT int omp_get_num_teams_() { return omp_get_num_teams(); }
OMPDSM_EXPORT int omp_get_team_num_() { return omp_get_team_num(); }
OMPDSM_EXPORT int omp_get_thread_limit_() { return omp_get_thread_limit(); }
