// mg.mpi.c: multigrid, a slab of each level in each process, so dealt that point 2 i is where point
// i of the next level is. The smallest levels are computed whole by every process, from a gathered
// residual.
//
// A process keeps one plane of its neighbours on either side. That of u it computes itself where u
// is prolonged, so that a level needs three messages between neighbours: one plane of r on the way
// down, and both of u after it was smoothed.
#include "mg.h"
#include "../mpi_program.h"

struct Grids {
  int levels, shared; ///< The first `shared` levels are dealt out.
  double *f;          ///< Of the finest level.
  struct Level level[MostLevels];
  int first[MostLevels], last[MostLevels]; ///< Own planes of each level.
  struct Process me;
  struct Parts parts; ///< Points of the first level that is not dealt out.
};

static double *makePoints(int n, int planes) {
  double *points = allocate(planePoints(n) * (size_t)planes, sizeof *points);
  memset(points, 0, planePoints(n) * (size_t)planes * sizeof *points);
  return points;
}

static struct Grids makeGrids(int finest) {
  const struct Process me = thisProcess();
  struct Grids g = {.levels = countLevels(finest), .me = me};
  while (finest >> g.shared > Alone)
    g.shared++;
  const int alone = finest >> g.shared;
  g.parts = makeParts(alone, me.ranks, (int)planePoints(alone));
  for (int l = 0; l < g.levels; l++) {
    const int n = finest >> l, isShared = l < g.shared;
    if (l <= g.shared) {
      const int scale = 1 << (g.shared - l);
      const int begin = scale * (int)partBegin(alone, me.ranks, me.rank);
      g.first[l] = begin ? begin : 1;
      g.last[l] = scale * (int)partBegin(alone, me.ranks, me.rank + 1) - 1;
    }
    const int stored = isShared ? g.first[l] - 1 : 0;
    const int planes = isShared ? g.last[l] - g.first[l] + 3 : n + 1;
    g.level[l] = (struct Level){n, stored, makePoints(n, planes), makePoints(n, planes)};
  }
  g.f = makePoints(finest, g.last[0] - g.first[0] + 3);
  for (int k = g.first[0]; k <= g.last[0]; k++) {
    fillPlane(finest, k, planeOf(&g.level[0], g.f, k));
    fillPlane(finest, k, planeOf(&g.level[0], g.level[0].r, k)); // u is 0
  }
  return g;
}

/// Gets the plane below the own ones.
static void exchangeResidual(const struct Grids *g, int l) {
  const struct Level *const level = &g->level[l];
  const int points = (int)planePoints(level->n);
  MPI_Sendrecv(planeOf(level, level->r, g->last[l]), points, MPI_DOUBLE, g->me.next, ToNext,
               planeOf(level, level->r, g->first[l] - 1), points, MPI_DOUBLE, g->me.previous,
               ToNext, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/// Smooths u, the first and the last plane first: these are sent meanwhile.
static void smoothAndExchange(const struct Grids *g, int l) {
  const struct Level *const level = &g->level[l];
  const int first = g->first[l], last = g->last[l];
  struct Exchange exchange =
      beginExchange(g->me, (int)planePoints(level->n), planeOf(level, level->u, first - 1),
                    planeOf(level, level->u, last + 1));
  smooth(level, 0, first);
  sendFirst(&exchange, planeOf(level, level->u, first));
  if (last > first)
    smooth(level, 0, last);
  sendLast(&exchange, planeOf(level, level->u, last));
  for (int k = first + 1; k < last; k++)
    smooth(level, 0, k);
  endExchange(&exchange);
}

/// One V-cycle; the finest residual is known before it and after it.
static void cycle(const struct Grids *g) {
  const struct Level *const levels = g->level, *const alone = levels + g->shared;
  for (int l = 0; l < g->shared; l++) {
    exchangeResidual(g, l);
    for (int k = g->first[l + 1]; k <= g->last[l + 1]; k++)
      restrictResidual(&levels[l], &levels[l + 1], k);
  }
  gatherParts(alone->r, g->parts, MPI_DOUBLE);
  solveAlone(alone, g->levels - g->shared);
  for (int l = g->shared - 1; l >= 0; l--) {
    const struct Level *const level = &levels[l];
    const int lowest = g->me.previous == MPI_PROC_NULL ? 1 : g->first[l] - 1;
    const int highest = g->me.next == MPI_PROC_NULL ? g->last[l] : g->last[l] + 1;
    for (int k = lowest; k <= highest; k++)
      prolong(&levels[l + 1], level, l > 0, k);
    for (int k = g->first[l]; k <= g->last[l]; k++)
      findResidual(level, l ? level->r : g->f, k);
    smoothAndExchange(g, l);
  }
  for (int k = g->first[0]; k <= g->last[0]; k++)
    findResidual(&levels[0], g->f, k);
}

static void iterate(const struct Grids *g, int rounds) {
  for (int round = 0; round < rounds; round++)
    cycle(g);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const struct Arguments arguments = parseArguments(argc, argv, defaultRounds);
  const struct Grids g = makeGrids(intervals[arguments.size]);
  iterate(&g, 1);
  const double start = secondsTogether();
  iterate(&g, arguments.rounds);
  const double seconds = secondsTogether() - start;

  double squares[2] = {0, 0};
  const struct Level *const finest = &g.level[0];
  for (int k = g.first[0]; k <= g.last[0]; k++) {
    squares[0] += squaresOfPlane(finest->n, planeOf(finest, finest->r, k));
    squares[1] += squaresOfPlane(finest->n, planeOf(finest, finest->u, k));
  }
  reportSums(arguments.rounds, seconds, squares, 2);
  MPI_Finalize();
  return 0;
}
