// heat3d.h: heat conduction in a cube, Jacobi's method with two states: the problem, and one plane
// of a step. The values on the surface stay.
//
// bench/compare: regular, tolerance 1e-11
#ifndef OMPDSM_BENCH_COMPARE_HEAT3D_H
#define OMPDSM_BENCH_COMPARE_HEAT3D_H

#include "../program.h"

static const int insides[SizeClasses] = {22, 62, 158}; ///< Points along an edge that change.
static const int defaultRounds[SizeClasses] = {5, 40, 120};

/// Points of a plane, the surface included.
static inline size_t planePoints(int inside) { return (size_t)(inside + 2) * (size_t)(inside + 2); }

/// The initial state: warm below, a hot spot on one side, noise inside.
static inline void fillPlane(int inside, int plane, double *points) {
  const int last = inside + 1;
  for (int i = 0; i <= last; i++)
    for (int j = 0; j <= last; j++) {
      const size_t at = (size_t)i * (size_t)(inside + 2) + (size_t)j;
      if (plane == 0)
        points[at] = 100;
      else if (plane == last || i == 0 || i == last || j == last)
        points[at] = 0;
      else if (j == 0)
        points[at] = i < inside / 2 ? 300 : 20;
      else
        points[at] = randomUnit((uint64_t)plane * planePoints(inside) + at);
    }
}

/// Computes the inner points of a plane from the planes around it.
static inline void stepPlane(int inside, double *restrict next, const double *restrict below,
                             const double *restrict same, const double *restrict above) {
  const long width = inside + 2;
  for (long i = 1; i <= inside; i++)
    for (long j = 1; j <= inside; j++) {
      const long at = i * width + j;
      next[at] = same[at] + 0.15 * (below[at] + above[at] + same[at - width] + same[at + width] +
                                    same[at - 1] + same[at + 1] - 6 * same[at]);
    }
}

/// Adds to the answer's two sums what one plane has.
static inline void addPlane(int inside, int plane, const double *points, double sums[2]) {
  double sum = 0, weighted = 0;
  for (size_t at = 0; at < planePoints(inside); at++) {
    sum += points[at];
    weighted += points[at] * (double)(at + 1);
  }
  sums[0] += sum;
  sums[1] += weighted * (plane + 1);
}

#endif
