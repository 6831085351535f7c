// cg.c: conjugate gradients on a sparse matrix in compressed rows: x[column[k]] is a gather.
//
// The matrix is symmetric, diagonally dominant, with 2 x Offsets + 1 entries in a row at places
// without locality: a circulant band matrix whose rows and columns are permuted. The right-hand
// side is made from a known solution. (Hestenes, Stiefel: Methods of conjugate gradients for
// solving linear systems, 1952.)
#include <math.h>

#include "kernel.h"

enum { Offsets = 6, RowLength = 2 * Offsets + 1 };

struct Matrix {
  int order; // a power of two
  int *rowBegin, *column;
  double *value;
};

static int permuted(const struct Matrix *a, int64_t row) {
  return (int)(((uint64_t)row * 40503u + 12345u) & (uint64_t)(a->order - 1));
}

static void fill(struct Matrix *a) {
  a->rowBegin = allocate((size_t)a->order + 1, sizeof *a->rowBegin);
  a->column = allocate((size_t)a->order * RowLength, sizeof *a->column);
  a->value = allocate((size_t)a->order * RowLength, sizeof *a->value);
  a->rowBegin[a->order] = a->order * RowLength;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < a->order; i++) {
    const int row = permuted(a, i);
    int at = a->rowBegin[row] = row * RowLength;
    a->column[at] = row;
    a->value[at++] = 2.05 * Offsets;
    for (int k = 1; k <= Offsets; k++)
      for (int side = -1; side <= 1; side += 2) {
        a->column[at] = permuted(a, i + side * (k * k * 5 + k));
        a->value[at++] = -1 + 0.05 * k;
      }
  }
}

static void multiply(const struct Matrix *a, const double *x, double *y) {
#pragma omp for schedule(static)
  for (int i = 0; i < a->order; i++) {
    double sum = 0;
    for (int k = a->rowBegin[i]; k < a->rowBegin[i + 1]; k++)
      sum += a->value[k] * x[a->column[k]];
    y[i] = sum;
  }
}

// Adds x.y to *sum, which is 0 before; called by all threads of the team.
static void dot(int n, const double *x, const double *y, double *sum) {
  double part = 0;
#pragma omp for schedule(static) nowait
  for (int i = 0; i < n; i++)
    part += x[i] * y[i];
#pragma omp atomic
  *sum += part;
#pragma omp barrier
}

/// Returns the norm of the last residual.
static double solve(const struct Matrix *a, const double *b, double *x, int iterations) {
  const int n = a->order;
  double *p = allocate((size_t)n, sizeof *p), *q = allocate((size_t)n, sizeof *q);
  double *r = allocate((size_t)n, sizeof *r);
  double *rho = calloc(2 * (size_t)iterations + 1, sizeof *rho), *curvature = rho + iterations + 1;
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) {
      x[i] = 0;
      r[i] = p[i] = b[i];
    }
    dot(n, r, r, &rho[0]);
    for (int step = 0; step < iterations; step++) {
      multiply(a, p, q);
      dot(n, p, q, &curvature[step]);
      const double alpha = rho[step] / curvature[step];
#pragma omp for schedule(static)
      for (int i = 0; i < n; i++) {
        x[i] += alpha * p[i];
        r[i] -= alpha * q[i];
      }
      dot(n, r, r, &rho[step + 1]);
      const double beta = rho[step + 1] / rho[step];
#pragma omp for schedule(static)
      for (int i = 0; i < n; i++)
        p[i] = r[i] + beta * p[i];
    }
  }
  const double norm = sqrt(rho[iterations]);
  free(p);
  free(q);
  free(r);
  free(rho);
  return norm;
}

int main(int argc, char **argv) {
  const int small = isSmall(argc, argv), n = small ? 1 << 10 : 1 << 16;
  struct Matrix a = {n, NULL, NULL, NULL};
  fill(&a);
  double *wanted = allocate((size_t)n, sizeof *wanted), *b = allocate((size_t)n, sizeof *b);
  double *x = allocate((size_t)n, sizeof *x);
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++)
      wanted[i] = randomUnit((uint64_t)i);
    multiply(&a, wanted, b);
  }
  const double residual = solve(&a, b, x, small ? 60 : 400);
  double worst = 0;
  for (int i = 0; i < n; i++)
    worst = fmax(worst, fabs(x[i] - wanted[i]));
  // Sums depend on the number of threads in their last bits, so these are not part of the answer.
  for (int i = 0; i < n; i++)
    x[i] = rint(x[i] * 1e4) + 0.0; // no -0
  return conclude(hashDoubles(x, (size_t)n), worst < 1e-6 && residual < 1e-4);
}
