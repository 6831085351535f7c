// Leagues.h: leagues of teams that node 0's initial thread starts: `#pragma omp teams`, and what
// `#pragma omp target teams` is on a machine without devices. A league of one team is a serial part
// whose regions are spread over the nodes as any others.
#pragma once
#include "libompdsm/src/LeagueShape.h"
#include "libompdsm/src/LibompShim.h"
#include <set>
#include <vector>

namespace ompdsm {

struct RegionFrame;

/// Of node 0's initial thread, which alone uses it.
class Leagues {
public:
  /// Before the program starts.
  void begin();
  /// thread_limit of the innermost teams or target construct around the calling thread; 0: none.
  unsigned threadLimit() const;
  /// Of the next league.
  void ask(const LeagueRequest &request) { asked_ = request; }
  /// Runs the league and returns when all its teams have ended. Outside of every region, nodes > 1.
  void run(Ident *location, Microtask microtask, const std::vector<void *> &arguments);

private:
  void runTeams(const LeagueShape &shape, Ident *location, Microtask microtask,
                std::vector<void *> arguments);

  int limitOfProgram_ = 0; ///< That libomp starts with: OMP_THREAD_LIMIT, or what it can have.
  LeagueRequest asked_;
  std::set<Microtask> withoutRegions_; ///< Leagues of several teams that have started no region.
};

/// Whether a league that the calling thread starts now is run by Leagues.
bool startsSpreadLeague();
/// The calling thread's team.
LeagueTeam leagueTeam();
/// The calling thread's frame if it executes a team that is a thread of a region (LeagueShape), and
/// no region of that team.
RegionFrame *leagueFrame();

} // namespace ompdsm
