// C = A * B with global arrays, with rows on the heap, and by blocks; compared with the serial
// product.
#include "report.h"
#include <omp.h>

enum { Size = 70 };

static double a[Size][Size], b[Size][Size], c[Size][Size], expected[Size][Size];

int main(void) {
  double **rows = malloc(Size * sizeof *rows);
#pragma omp parallel for
  for (int i = 0; i < Size; i++) {
    rows[i] = malloc(Size * sizeof **rows);
    for (int j = 0; j < Size; j++) {
      a[i][j] = i + 2 * j;
      b[i][j] = i - j;
      rows[i][j] = 0;
    }
  }
  for (int i = 0; i < Size; i++)
    for (int j = 0; j < Size; j++) {
      double sum = 0;
      for (int k = 0; k < Size; k++)
        sum += (double)(i + 2 * k) * (k - j);
      expected[i][j] = sum;
    }
#pragma omp parallel for
  for (int i = 0; i < Size; i++)
    for (int j = 0; j < Size; j++) {
      double sum = 0;
      for (int k = 0; k < Size; k++)
        sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
  // By blocks of columns, so that each row is written by several threads at a time.
#pragma omp parallel for schedule(static, 1)
  for (int block = 0; block < Size; block += 7)
    for (int k = 0; k < Size; k++)
      for (int i = 0; i < Size; i++)
        for (int j = block; j < block + 7; j++)
          rows[i][j] += a[i][k] * b[k][j];
  for (int i = 0; i < Size; i++)
    for (int j = 0; j < Size; j++) {
      expectReal("product by rows", i * Size + j, expected[i][j], c[i][j]);
      expectReal("product by blocks", i * Size + j, expected[i][j], rows[i][j]);
    }
  for (int i = 0; i < Size; i++)
    free(rows[i]);
  free(rows);
  return finish();
}
