// wavefront.c: sweeps of symmetric successive over-relaxation over a grid of five unknowns in each
// point, in a pipeline: a block of rows waits for the one above it in the same plane and for its
// own of the plane before.
//
// The shape of LU in the NAS Parallel Benchmarks (RNR-94-007, 3.2), with cross-iteration
// dependences of OpenMP 4.5.
#include <math.h>

#include "kernel.h"

enum { N = 5, Rows = 8, MaxSide = 66 };

static double u[MaxSide][MaxSide][MaxSide][N], f[MaxSide][MaxSide][MaxSide][N];

// u := (f + c(neighbours)) / 7 with a coupling of the components, over-relaxed.
static inline void relax(int k, int j, int i) {
  double sum[N];
  for (int m = 0; m < N; m++)
    sum[m] = u[k - 1][j][i][m] + u[k + 1][j][i][m] + u[k][j - 1][i][m] + u[k][j + 1][i][m] +
             u[k][j][i - 1][m] + u[k][j][i + 1][m];
  for (int m = 0; m < N; m++) {
    const double coupled = 0.05 * (sum[(m + 1) % N] - sum[(m + 4) % N]);
    u[k][j][i][m] += 1.2 * ((f[k][j][i][m] + sum[m] + coupled) / 7 - u[k][j][i][m]);
  }
}

static void sweepUp(int n) {
#pragma omp for ordered(2) schedule(static, 1)
  for (int block = 1; block <= (n - 2) / Rows; block++)
    for (int k = 1; k < n - 1; k++) {
#pragma omp ordered depend(sink : block - 1, k) depend(sink : block, k - 1)
      for (int j = (block - 1) * Rows + 1; j <= block * Rows; j++)
        for (int i = 1; i < n - 1; i++)
          relax(k, j, i);
#pragma omp ordered depend(source)
    }
}

static void sweepDown(int n) {
#pragma omp for ordered(2) schedule(static, 1)
  for (int back = 1; back <= (n - 2) / Rows; back++)
    for (int plane = 1; plane < n - 1; plane++) {
      const int block = (n - 2) / Rows + 1 - back, k = n - 1 - plane;
#pragma omp ordered depend(sink : back - 1, plane) depend(sink : back, plane - 1)
      for (int j = block * Rows; j >= (block - 1) * Rows + 1; j--)
        for (int i = n - 2; i >= 1; i--)
          relax(k, j, i);
#pragma omp ordered depend(source)
    }
}

/// The largest change that a further step without over-relaxation would make.
static double largestChange(int n) {
  double most = 0;
#pragma omp parallel for schedule(static) reduction(max : most)
  for (int k = 1; k < n - 1; k++)
    for (int j = 1; j < n - 1; j++)
      for (int i = 1; i < n - 1; i++) {
        double sum[N];
        for (int m = 0; m < N; m++)
          sum[m] = u[k - 1][j][i][m] + u[k + 1][j][i][m] + u[k][j - 1][i][m] + u[k][j + 1][i][m] +
                   u[k][j][i - 1][m] + u[k][j][i + 1][m];
        for (int m = 0; m < N; m++) {
          const double coupled = 0.05 * (sum[(m + 1) % N] - sum[(m + 4) % N]);
          most = fmax(most, fabs((f[k][j][i][m] + sum[m] + coupled) / 7 - u[k][j][i][m]));
        }
      }
  return most;
}

int main(int argc, char **argv) {
  const int small = isSmall(argc, argv), n = small ? 18 : MaxSide, steps = small ? 8 : 45;
#pragma omp parallel for schedule(static)
  for (int k = 1; k < n - 1; k++)
    for (int j = 1; j < n - 1; j++)
      for (int i = 1; i < n - 1; i++)
        for (int m = 0; m < N; m++)
          f[k][j][i][m] = randomUnit((uint64_t)(((k * n + j) * n + i) * N + m));
  const double before = largestChange(n);
#pragma omp parallel
  for (int step = 0; step < steps; step++) {
    sweepUp(n);
    sweepDown(n);
  }
  const double after = largestChange(n);
  return conclude(hashDoubles(&u[0][0][0][0], sizeof u / sizeof(double)), after < before * 1e-3);
}
