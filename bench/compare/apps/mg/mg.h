// mg.h: multigrid V-cycles for Poisson's equation in the unit cube with zero on its surface: the
// problem, and what one plane of a grid needs (the shape of the MG benchmark, NAS report
// RNR-94-007, 2.3.2: no smoothing on the way down, one sweep on the way up).
//
// Level 0 is the finest; level l has n = finest >> l intervals along an edge, (n + 1)^3 points, and
// computes planes 1 to n - 1. Point i of level l + 1 is point 2 i of level l. Levels of at most
// Alone intervals are so little work that they are not dealt out.
//
// bench/compare: regular, tolerance 1e-9
#ifndef OMPDSM_BENCH_COMPARE_MG_H
#define OMPDSM_BENCH_COMPARE_MG_H

#include "../program.h"

enum { Coarsest = 2, Alone = 16, MostLevels = 7 }; // Coarsest: intervals of the last level

struct Level {
  int n;         ///< Intervals along an edge.
  int stored;    ///< The first plane that `u` and `r` hold.
  double *u, *r; ///< The solution (level 0) or a correction, and its residual.
};

static const int intervals[SizeClasses] = {32, 64, 128};
static const int defaultRounds[SizeClasses] = {3, 10, 30};

static inline size_t planePoints(int n) { return (size_t)(n + 1) * (size_t)(n + 1); }

static inline int countLevels(int finest) {
  int levels = 1;
  while (finest >> levels >= Coarsest)
    levels++;
  return levels;
}

static inline double *planeOf(const struct Level *level, double *points, int plane) {
  return points + (size_t)(plane - level->stored) * planePoints(level->n);
}

/// The right-hand side at the inner points of a plane of the finest level, 0 elsewhere.
static inline void fillPlane(int n, int plane, double *points) {
  for (int i = 0; i <= n; i++)
    for (int j = 0; j <= n; j++) {
      const int isInner = plane % n && i % n && j % n;
      const uint64_t index = ((uint64_t)plane * 1024 + (uint64_t)i) * 1024 + (uint64_t)j;
      points[(size_t)i * (size_t)(n + 1) + (size_t)j] = isInner ? randomUnit(index) - 0.5 : 0;
    }
}

/// r = f - A u at the inner points, A = (6 u - sum of the neighbours) n^2. r may be f.
static inline void residualPlane(int n, double *r, const double *f, const double *restrict below,
                                 const double *restrict u, const double *restrict above) {
  const double scale = (double)n * n;
  const long width = n + 1;
  for (long i = 1; i < n; i++)
    for (long at = i * width + 1; at < i * width + n; at++)
      r[at] = f[at] - scale * (6 * u[at] - (below[at] + above[at] + u[at - width] + u[at + width] +
                                            u[at - 1] + u[at + 1]));
}

/// u += (6/7 of the inverse of A's diagonal) r, or u = that.
static inline void smoothPlane(int n, double *restrict u, const double *restrict r, int fromZero) {
  const double scale = 6.0 / 7 / (6.0 * n * n);
  const long width = n + 1;
  for (long i = 1; i < n; i++)
    for (long at = i * width + 1; at < i * width + n; at++)
      u[at] = fromZero ? scale * r[at] : u[at] + scale * r[at];
}

/// A plane of the coarser residual (n intervals) from three planes of the finer one: full
/// weighting.
static inline void restrictPlane(int n, double *restrict coarse, const double *restrict below,
                                 const double *restrict same, const double *restrict above) {
  const long width = n + 1, fineWidth = 2 * n + 1;
  for (long i = 1; i < n; i++)
    for (long j = 1; j < n; j++) {
      const long at = 2 * i * fineWidth + 2 * j;
      double rows[3]; // one row of the finer plane, weighted along the three planes
      for (long row = -1; row <= 1; row++) {
        const long middle = at + row * fineWidth;
        double sum = 0;
        for (long side = -1; side <= 1; side++)
          sum += (side ? 0.25 : 0.5) *
                 (0.25 * (below[middle + side] + above[middle + side]) + 0.5 * same[middle + side]);
        rows[row + 1] = sum;
      }
      coarse[i * width + j] = 0.25 * (rows[0] + rows[2]) + 0.5 * rows[1];
    }
}

/// Adds to plane `plane` of the finer level (2 n intervals) the coarser correction, trilinearly;
/// `low` and `high` are planes plane / 2 and (plane + 1) / 2 of it.
static inline void prolongPlane(int n, int isZero, double *restrict fine,
                                const double *restrict low, const double *restrict high) {
  const long width = n + 1, fineWidth = 2 * n + 1;
  for (long i = 1; i < 2 * n; i++) {
    const long down = i / 2 * width, up = (i + 1) / 2 * width;
    double *const row = fine + i * fineWidth;
    for (long j = 0; j < n; j++) {
      const double left = 0.25 * (low[down + j] + low[up + j] + high[down + j] + high[up + j]);
      const double right =
          0.25 * (low[down + j + 1] + low[up + j + 1] + high[down + j + 1] + high[up + j + 1]);
      row[2 * j] = (isZero ? 0 : row[2 * j]) + left;
      row[2 * j + 1] = (isZero ? 0 : row[2 * j + 1]) + 0.5 * (left + right);
    }
  }
}

/// Sum of the squares of a plane's inner points.
static inline double squaresOfPlane(int n, const double *points) {
  double sum = 0;
  for (long i = 1; i < n; i++)
    for (long at = i * (n + 1) + 1; at < i * (n + 1) + n; at++)
      sum += points[at] * points[at];
  return sum;
}

/// The steps of a cycle, for one plane of a level; f: the level's right-hand side, which may be r.
static inline void findResidual(const struct Level *level, double *f, int plane) {
  residualPlane(level->n, planeOf(level, level->r, plane), planeOf(level, f, plane),
                planeOf(level, level->u, plane - 1), planeOf(level, level->u, plane),
                planeOf(level, level->u, plane + 1));
}

static inline void smooth(const struct Level *level, int fromZero, int plane) {
  smoothPlane(level->n, planeOf(level, level->u, plane), planeOf(level, level->r, plane), fromZero);
}

static inline void restrictResidual(const struct Level *fine, const struct Level *coarse,
                                    int plane) {
  restrictPlane(coarse->n, planeOf(coarse, coarse->r, plane), planeOf(fine, fine->r, 2 * plane - 1),
                planeOf(fine, fine->r, 2 * plane), planeOf(fine, fine->r, 2 * plane + 1));
}

/// `plane` is one of the finer level.
static inline void prolong(const struct Level *coarse, const struct Level *fine, int isZero,
                           int plane) {
  prolongPlane(coarse->n, isZero, planeOf(fine, fine->u, plane),
               planeOf(coarse, coarse->u, plane / 2), planeOf(coarse, coarse->u, (plane + 1) / 2));
}

/// The levels that are not dealt out, of which levels[0] is the finest: its correction, from its
/// residual.
static inline void solveAlone(const struct Level *levels, int count) {
  for (int l = 0; l + 1 < count; l++)
    for (int k = 1; k < levels[l + 1].n; k++)
      restrictResidual(&levels[l], &levels[l + 1], k);
  for (int l = count - 1; l >= 0; l--) {
    const struct Level *const level = &levels[l];
    for (int k = 1; k < level->n && l + 1 < count; k++)
      prolong(&levels[l + 1], level, 1, k);
    for (int k = 1; k < level->n && l + 1 < count; k++)
      findResidual(level, level->r, k);
    for (int k = 1; k < level->n; k++)
      smooth(level, l + 1 == count, k);
  }
}

#endif
