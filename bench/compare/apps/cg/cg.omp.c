// cg.omp.c: conjugate gradients, one persistent parallel region, rows dealt statically.
#include "cg.h"

struct System {
  int order;
  int *columns;
  double *values;
  double *x, *z, *p, *q, *r; // x: of the power method; z: the solution of A z = x
};

// Sums over the team, shared.
static double startNorm, curvature, norm, zz, xz;

static struct System makeSystem(int order) {
  const size_t n = (size_t)order;
  struct System s = {.order = order};
  s.columns = allocate(n * RowLength, sizeof *s.columns);
  s.values = allocate(n * RowLength, sizeof *s.values);
  double **const vectors[] = {&s.x, &s.z, &s.p, &s.q, &s.r};
  for (int v = 0; v < 5; v++)
    *vectors[v] = allocate(n, sizeof(double));
#pragma omp parallel for schedule(static)
  for (int row = 0; row < order; row++) {
    fillRow(order, row, s.columns + (size_t)row * RowLength, s.values + (size_t)row * RowLength);
    s.x[row] = startValue(row);
    s.z[row] = s.p[row] = s.q[row] = s.r[row] = 0;
  }
  return s;
}

/// 25 iterations for A z = x, from z = 0. Called by all threads, with the sums 0. One thread sets a
/// sum back to 0 where all have read it, a barrier before it is added to again.
static void solve(const struct System *s) {
  const int n = s->order;
  double *const restrict z = s->z, *const restrict p = s->p, *const restrict q = s->q, *const restrict r = s->r;
#pragma omp for schedule(static) reduction(+ : startNorm)
  for (int i = 0; i < n; i++) {
    z[i] = 0;
    r[i] = p[i] = s->x[i];
    startNorm += r[i] * r[i];
  }
  double rho = startNorm;
  for (int iteration = 0; iteration < Iterations; iteration++) {
#pragma omp for schedule(static) reduction(+ : curvature)
    for (int i = 0; i < n; i++) {
      q[i] = multiplyRow(s->values + (size_t)i * RowLength, s->columns + (size_t)i * RowLength, p);
      curvature += p[i] * q[i];
    }
    const double alpha = rho / curvature;
#pragma omp for schedule(static) reduction(+ : norm)
    for (int i = 0; i < n; i++) {
      z[i] += alpha * p[i];
      r[i] -= alpha * q[i];
      norm += r[i] * r[i];
    }
    const double beta = norm / rho;
    rho = norm;
#pragma omp masked
    curvature = 0;
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++)
      p[i] = r[i] + beta * p[i];
#pragma omp masked
    norm = 0;
  }
}

/// `rounds` steps of the power method; returns the last estimate of the eigenvalue.
static double iterate(const struct System *s, int rounds) {
  double zeta = 0;
#pragma omp parallel
  for (int round = 0; round < rounds; round++) {
#pragma omp single
    startNorm = norm = curvature = zz = xz = 0;
    solve(s);
#pragma omp for schedule(static) reduction(+ : zz, xz)
    for (int i = 0; i < s->order; i++) {
      zz += s->z[i] * s->z[i];
      xz += s->x[i] * s->z[i];
    }
    const double scale = 1 / sqrt(zz);
#pragma omp masked
    zeta = 1 / xz;
#pragma omp for schedule(static)
    for (int i = 0; i < s->order; i++)
      s->x[i] = scale * s->z[i];
  }
  return zeta;
}

int main(int argc, char **argv) {
  const struct Arguments arguments = parseArguments(argc, argv, defaultRounds);
  const struct System s = makeSystem(orders[arguments.size]);
  iterate(&s, 1);
  const double start = wallSeconds();
  const double zeta = iterate(&s, arguments.rounds);
  report(arguments.rounds, wallSeconds() - start, &zeta, 1);
  return 0;
}
