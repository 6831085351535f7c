// Jacobi relaxation with neighbours at chunk edges, one region around all iterations; exact because
// all values are multiples of powers of two that fit.
#include "report.h"
#include <omp.h>
#include <string.h>

enum { Rows = 60, Columns = 66, Steps = 10 };

static void step(int first, int last, const double *from, double *to) {
  for (int i = first; i < last; i++)
    for (int j = 1; j < Columns - 1; j++)
      to[i * Columns + j] = 0.25 * (from[(i - 1) * Columns + j] + from[(i + 1) * Columns + j] +
                                    from[i * Columns + j - 1] + from[i * Columns + j + 1]);
}

int main(void) {
  const size_t bytes = sizeof(double) * Rows * Columns;
  double *from = calloc(1, bytes), *to = calloc(1, bytes), *x = calloc(1, bytes),
         *y = calloc(1, bytes);
  for (int i = 0; i < Rows; i++)
    for (int j = 0; j < Columns; j++)
      if (i == 0 || j == 0 || i == Rows - 1 || j == Columns - 1)
        from[i * Columns + j] = to[i * Columns + j] = 1024 * ((i * 3 + j) % 17);
  memcpy(x, from, bytes);
  memcpy(y, from, bytes);
  for (int k = 0; k < Steps; k++) {
    step(1, Rows - 1, k % 2 ? y : x, k % 2 ? x : y);
  }
#pragma omp parallel
  for (int k = 0; k < Steps; k++) {
#pragma omp for
    for (int i = 1; i < Rows - 1; i++)
      step(i, i + 1, k % 2 ? to : from, k % 2 ? from : to);
  }
  for (int i = 0; i < Rows * Columns; i++) {
    expectReal("state", i, x[i], from[i]);
    expectReal("state before", i, y[i], to[i]);
  }
  free(from);
  free(to);
  free(x);
  free(y);
  return finish();
}
