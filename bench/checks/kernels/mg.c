// mg.c: multigrid V-cycles for Poisson's equation on a cube, with Dirichlet boundaries of 0.
//
// Seven-point operator, damped Jacobi, restriction by averages of eight cells' corners, trilinear
// prolongation. (Brandt: Multi-level adaptive solutions to boundary-value problems, 1977.) A grid
// of level l has 2^l - 1 inner points in each direction.
#include <math.h>

#include "kernel.h"

enum { MaxLevels = 8 };

struct Grid {
  int n; // points in each direction, with the two of the boundary
  double *u, *f, *r;
};

static struct Grid grids[MaxLevels];

static size_t at(int n, int i, int j, int k) {
  return ((size_t)i * (size_t)n + (size_t)j) * (size_t)n + (size_t)k;
}

static void make(struct Grid *g, int n) {
  const size_t points = (size_t)n * (size_t)n * (size_t)n;
  g->n = n;
  g->u = allocate(points, sizeof(double));
  g->f = allocate(points, sizeof(double));
  g->r = allocate(points, sizeof(double));
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++)
    for (size_t p = at(n, i, 0, 0); p < at(n, i + 1, 0, 0); p++)
      g->u[p] = g->f[p] = g->r[p] = 0;
}

static void residual(const struct Grid *g, double *r) {
  const int n = g->n;
  const double *u = g->u, *f = g->f, scale = (double)(n - 1) * (n - 1);
#pragma omp parallel for schedule(static)
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++) {
        const double sum = u[at(n, i - 1, j, k)] + u[at(n, i + 1, j, k)] + u[at(n, i, j - 1, k)] +
                           u[at(n, i, j + 1, k)] + u[at(n, i, j, k - 1)] + u[at(n, i, j, k + 1)];
        r[at(n, i, j, k)] = f[at(n, i, j, k)] - scale * (6 * u[at(n, i, j, k)] - sum);
      }
}

static void smooth(const struct Grid *g) {
  const int n = g->n;
  const double weight = 0.85 / (6.0 * (n - 1) * (n - 1));
  residual(g, g->r);
#pragma omp parallel for schedule(static)
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++)
        g->u[at(n, i, j, k)] += weight * g->r[at(n, i, j, k)];
}

// Full weighting: 27 points with weights 1/8, 1/16, 1/32, 1/64, by the number of odd offsets.
static void restrictTo(const struct Grid *fine, const struct Grid *coarse) {
  const int n = coarse->n, m = fine->n;
#pragma omp parallel for schedule(static)
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++) {
        double sum = 0;
        for (int di = -1; di <= 1; di++)
          for (int dj = -1; dj <= 1; dj++)
            for (int dk = -1; dk <= 1; dk++)
              sum += fine->r[at(m, 2 * i + di, 2 * j + dj, 2 * k + dk)] /
                     (1 << (3 + abs(di) + abs(dj) + abs(dk)));
        coarse->f[at(n, i, j, k)] = sum;
        coarse->u[at(n, i, j, k)] = 0;
      }
}

static void prolongate(const struct Grid *coarse, const struct Grid *fine) {
  const int n = coarse->n, m = fine->n;
  const double *c = coarse->u;
#pragma omp parallel for schedule(static)
  for (int i = 1; i < m - 1; i++)
    for (int j = 1; j < m - 1; j++)
      for (int k = 1; k < m - 1; k++) {
        const int i0 = i / 2, i1 = (i + 1) / 2, j0 = j / 2, j1 = (j + 1) / 2, k0 = k / 2,
                  k1 = (k + 1) / 2;
        const double low = c[at(n, i0, j0, k0)] + c[at(n, i0, j0, k1)] + c[at(n, i0, j1, k0)] +
                           c[at(n, i0, j1, k1)];
        const double high = c[at(n, i1, j0, k0)] + c[at(n, i1, j0, k1)] + c[at(n, i1, j1, k0)] +
                            c[at(n, i1, j1, k1)];
        fine->u[at(m, i, j, k)] += 0.125 * (low + high);
      }
}

static void cycle(int level) {
  struct Grid *g = &grids[level];
  if (level == 0) { // one inner point
    g->u[at(3, 1, 1, 1)] = g->f[at(3, 1, 1, 1)] / 24;
    return;
  }
  smooth(g);
  smooth(g);
  residual(g, g->r);
  restrictTo(g, &grids[level - 1]);
  cycle(level - 1);
  prolongate(&grids[level - 1], g);
  smooth(g);
  smooth(g);
}

static double largest(const struct Grid *g) {
  double most = 0;
#pragma omp parallel for schedule(static) reduction(max : most)
  for (int i = 0; i < g->n; i++)
    for (size_t p = at(g->n, i, 0, 0); p < at(g->n, i + 1, 0, 0); p++)
      most = fmax(most, fabs(g->r[p]));
  return most;
}

int main(int argc, char **argv) {
  const int small = isSmall(argc, argv), levels = small ? 4 : 7, cycles = small ? 4 : 12;
  for (int l = 0; l < levels; l++)
    make(&grids[l], (2 << l) + 1);
  struct Grid *top = &grids[levels - 1];
  const int n = top->n;
#pragma omp parallel for schedule(static)
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++)
        top->f[at(n, i, j, k)] = randomUnit(at(n, i, j, k)) - 0.5;
  residual(top, top->r);
  const double before = largest(top);
  for (int c = 0; c < cycles; c++)
    cycle(levels - 1);
  residual(top, top->r);
  const double factor = pow(largest(top) / before, 1.0 / cycles);
  return conclude(hashDoubles(top->u, (size_t)n * (size_t)n * (size_t)n), factor < 0.35);
}
