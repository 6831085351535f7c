// LeagueShape.h: how many teams a league has, and which threads execute them. Pure.
#pragma once
#include <algorithm>

namespace ompdsm {

/// What a teams construct asks for; 0 where it does not say.
struct LeagueRequest {
  unsigned fewestTeams = 0; ///< num_teams(lower: upper).
  unsigned mostTeams = 0;   ///< num_teams(upper).
  unsigned threadLimit = 0; ///< thread_limit, of each team.
};

/// A thread's team in a league. No teams: it is in no league, or in one that is libomp's.
struct LeagueTeam {
  unsigned number = 0;
  unsigned teams = 0;
  unsigned threadLimit = 0;
};

struct LeagueShape {
  unsigned teams = 1;
  unsigned threadLimit = 1; ///< Of each team.
  /// The teams are threads of one region, and have no other threads. Else they come one after the
  /// other, and the regions of each are spread over the nodes: teams may not wait for each other
  /// (OpenMP 5.2, section 10.2).
  bool isRegion = false;
};

/// `threads`: of a region without a num_threads clause. `defaults`: what OMP_NUM_TEAMS and
/// OMP_TEAMS_THREAD_LIMIT say. `startsRegions`: unknown, or whether teams have parallel regions; if
/// not, all there is to spread are the teams.
///
/// A league has one team if nobody asks for more, and no more than there are threads unless the
/// construct's lower bound is above that, as with libomp. flang 22 gives each num_teams clause a
/// lower bound, and all teams one private copy of what they reduce: these come one after the other.
inline LeagueShape shapeOf(const LeagueRequest &asked, const LeagueRequest &defaults,
                           unsigned threads, bool startsRegions) {
  const unsigned limit = asked.threadLimit ? asked.threadLimit : defaults.threadLimit;
  const unsigned most = asked.mostTeams ? asked.mostTeams : defaults.mostTeams;
  LeagueShape shape;
  shape.teams = std::max({std::min(most, threads), asked.fewestTeams, 1u});
  shape.isRegion =
      asked.fewestTeams == 0 && shape.teams > 1 && (shape.teams == threads || !startsRegions);
  shape.threadLimit = shape.isRegion ? 1 : limit ? std::min(limit, threads) : threads;
  return shape;
}

} // namespace ompdsm
