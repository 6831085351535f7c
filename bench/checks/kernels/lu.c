// lu.c: LU factorisation of a dense matrix that is stored in square blocks, each an allocation of
// its own, with a task for each block.
//
// Without pivoting: the matrix is diagonally dominant. (Golub, Van Loan: Matrix
// computations, 3.2.11, block outer product.)
#include <math.h>

#include "kernel.h"

enum { B = 32 };

static double value(int i, int j, int n) {
  return i == j ? n : randomUnit((uint64_t)i * (uint64_t)n + (uint64_t)j) - 0.5;
}

static double **makeBlocks(int blocks) {
  double **a = allocate((size_t)blocks * (size_t)blocks, sizeof *a);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < blocks; i++)
    for (int j = 0; j < blocks; j++) {
      double *block = a[i * blocks + j] = allocate(B * B, sizeof *block);
      for (int r = 0; r < B; r++)
        for (int c = 0; c < B; c++)
          block[r * B + c] = value(i * B + r, j * B + c, blocks * B);
    }
  return a;
}

static void factorDiagonal(double *d) {
  for (int k = 0; k < B; k++)
    for (int i = k + 1; i < B; i++) {
      d[i * B + k] /= d[k * B + k];
      for (int j = k + 1; j < B; j++)
        d[i * B + j] -= d[i * B + k] * d[k * B + j];
    }
}

// row := L^-1 row
static void solveRow(const double *d, double *row) {
  for (int k = 0; k < B; k++)
    for (int i = k + 1; i < B; i++)
      for (int j = 0; j < B; j++)
        row[i * B + j] -= d[i * B + k] * row[k * B + j];
}

// column := column U^-1
static void solveColumn(const double *d, double *column) {
  for (int i = 0; i < B; i++)
    for (int k = 0; k < B; k++) {
      column[i * B + k] /= d[k * B + k];
      for (int j = k + 1; j < B; j++)
        column[i * B + j] -= column[i * B + k] * d[k * B + j];
    }
}

static void update(const double *column, const double *row, double *inner) {
  for (int i = 0; i < B; i++)
    for (int k = 0; k < B; k++)
      for (int j = 0; j < B; j++)
        inner[i * B + j] -= column[i * B + k] * row[k * B + j];
}

static void factorise(int blocks, double **a) {
#pragma omp parallel
#pragma omp single
  for (int k = 0; k < blocks; k++) {
    factorDiagonal(a[k * blocks + k]);
    for (int i = k + 1; i < blocks; i++) {
#pragma omp task firstprivate(i, k)
      solveRow(a[k * blocks + k], a[k * blocks + i]);
#pragma omp task firstprivate(i, k)
      solveColumn(a[k * blocks + k], a[i * blocks + k]);
    }
#pragma omp taskwait
    for (int i = k + 1; i < blocks; i++)
      for (int j = k + 1; j < blocks; j++)
#pragma omp task firstprivate(i, j, k)
        update(a[i * blocks + k], a[k * blocks + j], a[i * blocks + j]);
#pragma omp taskwait
  }
}

/// Solves L U x = b in place.
static void solve(int blocks, double **a, double *x) {
  const int n = blocks * B;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      x[i] -= a[i / B * blocks + j / B][i % B * B + j % B] * x[j];
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++)
      x[i] -= a[i / B * blocks + j / B][i % B * B + j % B] * x[j];
    x[i] /= a[i / B * blocks + i / B][i % B * B + i % B];
  }
}

int main(int argc, char **argv) {
  const int small = isSmall(argc, argv), blocks = small ? 4 : 48, n = blocks * B;
  double **a = makeBlocks(blocks), *x = allocate((size_t)n, sizeof *x), worst = 0;
  for (int i = 0; i < n; i++) { // of the solution with 1 everywhere
    x[i] = 0;
    for (int j = 0; j < n; j++)
      x[i] += value(i, j, n);
  }
  factorise(blocks, a);
  uint64_t answer = 0;
  for (int b = 0; b < blocks * blocks; b++)
    answer = mix(answer ^ hashDoubles(a[b], B * B));
  solve(blocks, a, x);
  for (int i = 0; i < n; i++)
    worst = fmax(worst, fabs(x[i] - 1));
  return conclude(answer, worst < 1e-10);
}
