// ft.c: a 3-D Fourier transform of complex numbers, by rows, with a transposition between the
// dimensions, there and back.
//
// Rows are transformed by Stockham's algorithm, radix 2 (Cochran et al.: What is the fast Fourier
// transform?, 1967), between the row and a buffer of the thread; the transposition goes by tiles.
#include <math.h>

#include "kernel.h"

typedef struct {
  double re, im;
} Complex;

enum { Tile = 8 };

static Complex *roots; // exp(-2 pi i k / n), k < n / 2

static void makeRoots(int n) {
  roots = allocate((size_t)n / 2, sizeof *roots);
  for (int k = 0; k < n / 2; k++)
    roots[k] = (Complex){cos(2 * 3.14159265358979323846 * k / n),
                         -sin(2 * 3.14159265358979323846 * k / n)};
}

// Transforms x of n values; y is room for as many. sign is +1 or, for the inverse, -1.
static void transformRow(int n, int sign, Complex *x, Complex *y) {
  Complex *from = x, *to = y;
  for (int half = n / 2, stride = 1; half >= 1; half /= 2, stride *= 2) {
    for (int p = 0; p < half; p++) {
      const Complex root = {roots[p * stride].re, sign * roots[p * stride].im};
      for (int q = 0; q < stride; q++) {
        const Complex a = from[q + stride * p], b = from[q + stride * (p + half)],
                      d = {a.re - b.re, a.im - b.im};
        to[q + stride * 2 * p] = (Complex){a.re + b.re, a.im + b.im};
        to[q + stride * (2 * p + 1)] =
            (Complex){d.re * root.re - d.im * root.im, d.re * root.im + d.im * root.re};
      }
    }
    Complex *const other = from;
    from = to;
    to = other;
  }
  if (from != x)
    memcpy(x, from, (size_t)n * sizeof *x);
}

static void transformRows(int n, int sign, Complex *x) {
#pragma omp parallel
  {
    Complex *buffer = allocate((size_t)n, sizeof *buffer);
#pragma omp for schedule(static)
    for (int row = 0; row < n * n; row++)
      transformRow(n, sign, x + (size_t)row * (size_t)n, buffer);
    free(buffer);
  }
}

// y[k][i][j] = x[i][j][k]: three of these are the identity.
static void rotate(int n, const Complex *x, Complex *y) {
  const size_t m = (size_t)n;
#pragma omp parallel for schedule(static)
  for (size_t kk = 0; kk < m; kk += Tile)
    for (size_t i = 0; i < m; i++)
      for (size_t jj = 0; jj < m; jj += Tile)
        for (size_t k = kk; k < kk + Tile; k++)
          for (size_t j = jj; j < jj + Tile; j++)
            y[(k * m + i) * m + j] = x[(i * m + j) * m + k];
}

static void transform(int n, int sign, Complex *x, Complex *other) {
  Complex *from = x, *to = other;
  for (int dimension = 0; dimension < 3; dimension++) {
    transformRows(n, sign, from);
    rotate(n, from, to);
    Complex *const swapped = from;
    from = to;
    to = swapped;
  }
  memcpy(x, from, (size_t)n * (size_t)n * (size_t)n * sizeof *x);
}

int main(int argc, char **argv) {
  const int small = isSmall(argc, argv), n = small ? 16 : 64, rounds = small ? 1 : 24;
  const size_t count = (size_t)n * (size_t)n * (size_t)n;
  Complex *x = allocate(count, sizeof *x), *other = allocate(count, sizeof *other);
  makeRoots(n);
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < count; i++)
    x[i] = (Complex){randomUnit(2 * i), randomUnit(2 * i + 1)};
  uint64_t answer = 0;
  for (int round = 0; round < rounds; round++) {
    transform(n, 1, x, other);
    answer += hashDoubles((double *)x, 2 * count);
    transform(n, -1, x, other);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < count; i++)
      x[i] = (Complex){x[i].re / (double)count, x[i].im / (double)count};
  }
  double worst = 0;
#pragma omp parallel for schedule(static) reduction(max : worst)
  for (size_t i = 0; i < count; i++)
    worst = fmax(worst, fabs(x[i].re - randomUnit(2 * i)) + fabs(x[i].im - randomUnit(2 * i + 1)));
  return conclude(answer, worst < 1e-11);
}
