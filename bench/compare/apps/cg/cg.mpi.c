// cg.mpi.c: conjugate gradients, a band of rows in each process. Every process needs all of p,
// which is gathered once for each product.
#include "cg.h"
#include "../mpi_program.h"

struct System {
  int first, count; ///< Own rows.
  int *columns;
  double *values;
  double *x, *z, *q, *r; ///< Of own rows.
  double *p;             ///< Whole.
  struct Parts parts;
};

static struct System makeSystem(int order) {
  const struct Process me = thisProcess();
  struct System s = {.parts = makeParts(order, me.ranks, 1)};
  s.first = s.parts.begins[me.rank];
  s.count = s.parts.counts[me.rank];
  s.columns = allocate((size_t)s.count * RowLength, sizeof *s.columns);
  s.values = allocate((size_t)s.count * RowLength, sizeof *s.values);
  s.x = allocate((size_t)s.count, sizeof(double));
  s.z = allocate((size_t)s.count, sizeof(double));
  s.q = allocate((size_t)s.count, sizeof(double));
  s.r = allocate((size_t)s.count, sizeof(double));
  s.p = allocate((size_t)order, sizeof(double));
  for (int i = 0; i < s.count; i++) {
    fillRow(order, s.first + i, s.columns + (size_t)i * RowLength,
            s.values + (size_t)i * RowLength);
    s.x[i] = startValue(s.first + i);
  }
  return s;
}

/// 25 iterations for A z = x, from z = 0.
static void solve(const struct System *s) {
  const int n = s->count;
  double *const restrict z = s->z, *const restrict q = s->q, *const restrict r = s->r;
  double *const restrict own = s->p + s->first;
  double rho = 0;
  for (int i = 0; i < n; i++) {
    z[i] = 0;
    r[i] = own[i] = s->x[i];
    rho += r[i] * r[i];
  }
  sumUp(&rho, 1);
  for (int iteration = 0; iteration < Iterations; iteration++) {
    gatherParts(s->p, s->parts, MPI_DOUBLE);
    double curvature = 0, norm = 0;
    for (int i = 0; i < n; i++) {
      q[i] =
          multiplyRow(s->values + (size_t)i * RowLength, s->columns + (size_t)i * RowLength, s->p);
      curvature += own[i] * q[i];
    }
    sumUp(&curvature, 1);
    const double alpha = rho / curvature;
    for (int i = 0; i < n; i++) {
      z[i] += alpha * own[i];
      r[i] -= alpha * q[i];
      norm += r[i] * r[i];
    }
    sumUp(&norm, 1);
    const double beta = norm / rho;
    rho = norm;
    for (int i = 0; i < n; i++)
      own[i] = r[i] + beta * own[i];
  }
}

/// `rounds` steps of the power method; returns the last estimate of the eigenvalue.
static double iterate(const struct System *s, int rounds) {
  double zeta = 0;
  for (int round = 0; round < rounds; round++) {
    solve(s);
    double sums[2] = {0, 0};
    for (int i = 0; i < s->count; i++) {
      sums[0] += s->z[i] * s->z[i];
      sums[1] += s->x[i] * s->z[i];
    }
    sumUp(sums, 2);
    const double scale = 1 / sqrt(sums[0]);
    zeta = 1 / sums[1];
    for (int i = 0; i < s->count; i++)
      s->x[i] = scale * s->z[i];
  }
  return zeta;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const struct Arguments arguments = parseArguments(argc, argv, defaultRounds);
  const struct System s = makeSystem(orders[arguments.size]);
  iterate(&s, 1);
  const double start = secondsTogether();
  const double zeta = iterate(&s, arguments.rounds);
  const double seconds = secondsTogether() - start;
  if (thisProcess().rank == 0)
    report(arguments.rounds, seconds, &zeta, 1);
  MPI_Finalize();
  return 0;
}
