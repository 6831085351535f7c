// cg.mpi.c: conjugate gradients, a band of rows in each process. Every process needs all of p,
// which is gathered once for each product.
#include "cg.h"
#include <mpi.h>

struct System {
  int first, count; ///< Own rows.
  int *columns;
  double *values;
  double *x, *z, *q, *r; ///< Of own rows.
  double *p;             ///< Whole.
  int *begins, *counts;  ///< Rows of each process.
};

static struct System makeSystem(int order) {
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct System s = {.begins = allocate((size_t)ranks, sizeof(int)),
                     .counts = allocate((size_t)ranks, sizeof(int))};
  for (int other = 0; other < ranks; other++) {
    s.begins[other] = (int)partBegin(order, ranks, other);
    s.counts[other] = (int)partBegin(order, ranks, other + 1) - s.begins[other];
  }
  s.first = s.begins[rank];
  s.count = s.counts[rank];
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
  MPI_Allreduce(MPI_IN_PLACE, &rho, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int iteration = 0; iteration < Iterations; iteration++) {
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, s->p, s->counts, s->begins, MPI_DOUBLE,
                   MPI_COMM_WORLD);
    double curvature = 0, norm = 0;
    for (int i = 0; i < n; i++) {
      q[i] =
          multiplyRow(s->values + (size_t)i * RowLength, s->columns + (size_t)i * RowLength, s->p);
      curvature += own[i] * q[i];
    }
    MPI_Allreduce(MPI_IN_PLACE, &curvature, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    const double alpha = rho / curvature;
    for (int i = 0; i < n; i++) {
      z[i] += alpha * own[i];
      r[i] -= alpha * q[i];
      norm += r[i] * r[i];
    }
    MPI_Allreduce(MPI_IN_PLACE, &norm, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
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
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
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
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = wallSeconds();
  const double zeta = iterate(&s, arguments.rounds);
  MPI_Barrier(MPI_COMM_WORLD);
  const double seconds = wallSeconds() - start;
  if (s.first == 0)
    report(arguments.rounds, seconds, &zeta, 1);
  MPI_Finalize();
  return 0;
}
