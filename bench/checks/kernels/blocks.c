// blocks.c: block-tridiagonal systems of 5 x 5 blocks along the lines of a grid, by elimination:
// small functions that get pointers to small matrices, called in the inner loop.
//
// One system for each (j, k), as in BT of the NAS Parallel Benchmarks (RNR-94-007, 3.3): A u[i-1] +
// B u[i] + C u[i+1] = f[i].
#include <math.h>

#include "kernel.h"

enum { N = 5, MaxSide = 48 };

struct Cell {
  double lower[N][N], diagonal[N][N], upper[N][N];
};

static double right[MaxSide][MaxSide][MaxSide][N], original[MaxSide][MaxSide][MaxSide][N];

static void makeCell(uint64_t place, struct Cell *cell) {
  for (int m = 0; m < N; m++)
    for (int l = 0; l < N; l++) {
      const double wave = 0.1 * (double)((place * 7 + (uint64_t)(m * N + l) * 3) % 11) - 0.5;
      cell->lower[m][l] = 0.2 * wave;
      cell->upper[m][l] = 0.1 * wave + (m == l ? -1 : 0);
      cell->diagonal[m][l] = 0.3 * wave + (m == l ? 4 : 0);
    }
}

// b -= a x
static void subtractProduct(double a[N][N], const double x[N], double b[N]) {
  for (int m = 0; m < N; m++)
    for (int l = 0; l < N; l++)
      b[m] -= a[m][l] * x[l];
}

// c -= a b
static void subtractMatrixProduct(double a[N][N], double b[N][N], double c[N][N]) {
  for (int m = 0; m < N; m++)
    for (int l = 0; l < N; l++)
      for (int k = 0; k < N; k++)
        c[m][k] -= a[m][l] * b[l][k];
}

// a := 1, c := a^-1 c, r := a^-1 r, by Gauss-Jordan without pivoting: a is diagonally dominant.
static void eliminate(double a[N][N], double c[N][N], double r[N]) {
  for (int p = 0; p < N; p++) {
    const double scale = 1 / a[p][p];
    for (int l = p + 1; l < N; l++)
      a[p][l] *= scale;
    for (int l = 0; l < N; l++)
      c[p][l] *= scale;
    r[p] *= scale;
    for (int m = 0; m < N; m++) {
      if (m == p)
        continue;
      const double factor = a[m][p];
      for (int l = p + 1; l < N; l++)
        a[m][l] -= factor * a[p][l];
      for (int l = 0; l < N; l++)
        c[m][l] -= factor * c[p][l];
      r[m] -= factor * r[p];
    }
  }
}

static void solveLine(int n, int j, int k, struct Cell *line) {
  for (int i = 0; i < n; i++) {
    struct Cell *cell = &line[i];
    makeCell((uint64_t)((i * n + j) * n + k), cell);
    if (i > 0) {
      subtractProduct(cell->lower, right[j][k][i - 1], right[j][k][i]);
      subtractMatrixProduct(cell->lower, line[i - 1].upper, cell->diagonal);
    }
    eliminate(cell->diagonal, cell->upper, right[j][k][i]);
  }
  for (int i = n - 2; i >= 0; i--)
    subtractProduct(line[i].upper, right[j][k][i + 1], right[j][k][i]);
}

/// The largest component of f - (A u[i-1] + B u[i] + C u[i+1]) on a line.
static double lineError(int n, int j, int k) {
  double worst = 0;
  for (int i = 0; i < n; i++) {
    struct Cell cell;
    double rest[N];
    makeCell((uint64_t)((i * n + j) * n + k), &cell);
    memcpy(rest, original[j][k][i], sizeof rest);
    if (i > 0)
      subtractProduct(cell.lower, right[j][k][i - 1], rest);
    subtractProduct(cell.diagonal, right[j][k][i], rest);
    if (i < n - 1)
      subtractProduct(cell.upper, right[j][k][i + 1], rest);
    for (int m = 0; m < N; m++)
      worst = fmax(worst, fabs(rest[m]));
  }
  return worst;
}

int main(int argc, char **argv) {
  const int small = isSmall(argc, argv), n = small ? 12 : MaxSide, rounds = small ? 1 : 32;
  double worst = 0;
  for (int round = 0; round < rounds; round++) {
#pragma omp parallel
    {
      struct Cell *line = allocate((size_t)n, sizeof *line);
#pragma omp for schedule(static)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++) {
          for (int i = 0; i < n; i++)
            for (int m = 0; m < N; m++)
              original[j][k][i][m] = right[j][k][i][m] =
                  randomUnit((uint64_t)(((j * n + k) * n + i) * N + m + round));
          solveLine(n, j, k, line);
        }
      free(line);
    }
  }
#pragma omp parallel for schedule(static) reduction(max : worst)
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++)
      worst = fmax(worst, lineError(n, j, k));
  return conclude(hashDoubles(&right[0][0][0][0], sizeof right / sizeof(double)), worst < 1e-10);
}
