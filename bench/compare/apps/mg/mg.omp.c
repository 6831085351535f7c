// mg.omp.c: multigrid, one persistent parallel region, the planes of each level dealt statically.
#include "mg.h"

struct Grids {
  int levels;
  int shared; ///< Levels that are dealt out, the first ones.
  double *f;  ///< Of the finest level.
  struct Level level[MostLevels];
};

static double *makePoints(int n) {
  double *points = allocate(planePoints(n) * (size_t)(n + 1), sizeof *points);
#pragma omp parallel for schedule(static)
  for (int k = 0; k <= n; k++)
    memset(points + (size_t)k * planePoints(n), 0, planePoints(n) * sizeof *points);
  return points;
}

static struct Grids makeGrids(int finest) {
  struct Grids g = {.levels = countLevels(finest), .f = makePoints(finest)};
  for (int l = 0; l < g.levels; l++) {
    const int n = finest >> l;
    g.level[l] = (struct Level){n, 0, makePoints(n), makePoints(n)};
    g.shared += n > Alone;
  }
#pragma omp parallel for schedule(static)
  for (int k = 0; k <= finest; k++) {
    fillPlane(finest, k, g.f + (size_t)k * planePoints(finest));
    fillPlane(finest, k, g.level[0].r + (size_t)k * planePoints(finest)); // u is 0
  }
  return g;
}

/// One V-cycle; the finest residual is known before it and after it. Called by all threads.
static void cycle(const struct Grids *g) {
  const struct Level *const levels = g->level;
  for (int l = 0; l < g->shared; l++) {
#pragma omp for schedule(static)
    for (int k = 1; k < levels[l + 1].n; k++)
      restrictResidual(&levels[l], &levels[l + 1], k);
  }
#pragma omp single
  solveAlone(levels + g->shared, g->levels - g->shared);
  for (int l = g->shared - 1; l >= 0; l--) {
    const struct Level *const level = &levels[l];
#pragma omp for schedule(static)
    for (int k = 1; k < level->n; k++)
      prolong(&levels[l + 1], level, l > 0, k);
#pragma omp for schedule(static)
    for (int k = 1; k < level->n; k++)
      findResidual(level, l ? level->r : g->f, k);
#pragma omp for schedule(static)
    for (int k = 1; k < level->n; k++)
      smooth(level, 0, k);
  }
#pragma omp for schedule(static)
  for (int k = 1; k < levels[0].n; k++)
    findResidual(&levels[0], g->f, k);
}

static void iterate(const struct Grids *g, int rounds) {
#pragma omp parallel
  for (int round = 0; round < rounds; round++)
    cycle(g);
}

int main(int argc, char **argv) {
  const struct Arguments arguments = parseArguments(argc, argv, defaultRounds);
  const struct Grids g = makeGrids(intervals[arguments.size]);
  iterate(&g, 1);
  const double start = wallSeconds();
  iterate(&g, arguments.rounds);
  const double seconds = wallSeconds() - start;

  double squares[2] = {0, 0};
  const struct Level *const finest = &g.level[0];
#pragma omp parallel for schedule(static) reduction(+ : squares)
  for (int k = 1; k < finest->n; k++) {
    squares[0] += squaresOfPlane(finest->n, planeOf(finest, finest->r, k));
    squares[1] += squaresOfPlane(finest->n, planeOf(finest, finest->u, k));
  }
  report(arguments.rounds, seconds, squares, 2);
  return 0;
}
