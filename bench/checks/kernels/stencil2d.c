// stencil2d.c: explicit steps of 2-D heat conduction with variable conductivity, in arrays of two
// dimensions that are passed to functions as the language offers it: double (*)[n].
#include <math.h>

#include "kernel.h"

static void start(int n, double (*u)[n], double (*conductivity)[n]) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      u[i][j] = randomUnit((uint64_t)i * (uint64_t)n + (uint64_t)j);
      conductivity[i][j] = 0.2 + 0.6 * (((i / 16) ^ (j / 16)) & 1);
    }
}

// Flows are computed from the means of the conductivities of two neighbours; the sum of u is kept.
static void step(int n, double (*u)[n], double (*next)[n], double (*conductivity)[n]) {
#pragma omp parallel for schedule(static)
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      const double here = u[i][j], k = conductivity[i][j];
      const double north = (k + conductivity[i - 1][j]) * (u[i - 1][j] - here);
      const double south = (k + conductivity[i + 1][j]) * (u[i + 1][j] - here);
      const double west = (k + conductivity[i][j - 1]) * (u[i][j - 1] - here);
      const double east = (k + conductivity[i][j + 1]) * (u[i][j + 1] - here);
      next[i][j] = here + 0.125 * (north + south + west + east);
    }
}

// Nothing flows through the boundary: its points copy their neighbours.
static void closeBoundary(int n, double (*u)[n]) {
#pragma omp parallel for schedule(static)
  for (int i = 1; i < n - 1; i++) {
    u[i][0] = u[i][1];
    u[i][n - 1] = u[i][n - 2];
  }
#pragma omp parallel for schedule(static)
  for (int j = 0; j < n; j++) {
    u[0][j] = u[1][j];
    u[n - 1][j] = u[n - 2][j];
  }
}

static double heat(int n, double (*u)[n]) {
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      sum += u[i][j];
  return sum;
}

int main(int argc, char **argv) {
  const int small = isSmall(argc, argv), n = small ? 80 : 800, steps = small ? 20 : 400;
  const size_t count = (size_t)n * (size_t)n;
  double *now = allocate(count, sizeof *now), *next = allocate(count, sizeof *next);
  double *conductivity = allocate(count, sizeof *conductivity);
  start(n, (double (*)[n])now, (double (*)[n])conductivity);
  closeBoundary(n, (double (*)[n])now);
  const double before = heat(n, (double (*)[n])now);
  for (int t = 0; t < steps; t++) {
    step(n, (double (*)[n])now, (double (*)[n])next, (double (*)[n])conductivity);
    closeBoundary(n, (double (*)[n])next);
    double *const other = now;
    now = next;
    next = other;
  }
  const double after = heat(n, (double (*)[n])now);
  return conclude(hashDoubles(now, count), fabs(after - before) < 1e-9 * before);
}
