// LeagueShapeTest.cpp: how many teams a league has, and who executes them.
#include "libompdsm/src/LeagueShape.h"
#include <gtest/gtest.h>

using namespace ompdsm;

namespace {

LeagueShape shape(const LeagueRequest &asked, unsigned threads, bool startsRegions = true,
                  const LeagueRequest &defaults = {}) {
  return shapeOf(asked, defaults, threads, startsRegions);
}

void expectInTurn(const LeagueShape &shape, unsigned teams, unsigned limit) {
  EXPECT_EQ(shape.teams, teams);
  EXPECT_EQ(shape.threadLimit, limit);
  EXPECT_FALSE(shape.isRegion);
}

void expectRegion(const LeagueShape &shape, unsigned teams) {
  EXPECT_EQ(shape.teams, teams);
  EXPECT_EQ(shape.threadLimit, 1u);
  EXPECT_TRUE(shape.isRegion);
}

} // namespace

TEST(LeagueShape, OneTeamOfAllThreadsWhereNobodyAsks) {
  expectInTurn(shape({}, 8), 1, 8);
  expectInTurn(shape({}, 8, false), 1, 8);
  expectInTurn(shape({.mostTeams = 1}, 8), 1, 8);
  expectInTurn(shape({.mostTeams = 5}, 1), 1, 1);
}

TEST(LeagueShape, FewTeamsHaveAllThreadsInTurn) {
  expectInTurn(shape({.mostTeams = 3}, 8), 3, 8);
  expectInTurn(shape({.mostTeams = 7}, 8), 7, 8);
}

TEST(LeagueShape, FewTeamsWithoutRegionsAreThreads) {
  expectRegion(shape({.mostTeams = 3}, 8, false), 3);
}

TEST(LeagueShape, AsManyTeamsAsThreadsAreThreads) {
  expectRegion(shape({.mostTeams = 8}, 8), 8);
  expectRegion(shape({.mostTeams = 4000, .threadLimit = 256}, 8), 8);
}

TEST(LeagueShape, TheLowerBoundHolds) {
  expectInTurn(shape({.fewestTeams = 20, .mostTeams = 20}, 8), 20, 8);
  expectInTurn(shape({.fewestTeams = 2, .mostTeams = 20}, 8), 8, 8);
  expectInTurn(shape({.fewestTeams = 20, .mostTeams = 20}, 8, false), 20, 8);
}

TEST(LeagueShape, TheLimitIsAnUpperBoundOfThreads) {
  expectInTurn(shape({.threadLimit = 3}, 8), 1, 3);
  expectInTurn(shape({.threadLimit = 256}, 8), 1, 8);
  expectInTurn(shape({.mostTeams = 2, .threadLimit = 3}, 8), 2, 3);
}

TEST(LeagueShape, ClausesGoBeforeVariables) {
  const LeagueRequest defaults{.mostTeams = 2, .threadLimit = 3};
  expectInTurn(shape({}, 8, true, defaults), 2, 3);
  expectInTurn(shape({.mostTeams = 4}, 8, true, defaults), 4, 3);
  expectInTurn(shape({.threadLimit = 5}, 8, true, defaults), 2, 5);
}
