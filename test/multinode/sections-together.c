// Loop nests that access many sections at once: more arrays than are noted together, parts of them homed on different
// nodes, rows apart and rows that touch, sections that overlap, and one that is overwritten from others.
#include "report.h"
#include <omp.h>
#include <stdlib.h>

enum { Arrays = 20, Rows = 60, Columns = 200, Rounds = 4 };

static long expected(int round, int array, int row, int column) {
  return (long)round * 1000003 + array * 100000 + row * Columns + column;
}

/* Each thread writes its rows of all arrays, array after array in the innermost loop. */
static void fill(int round, long (*a[Arrays])[Columns], int first, int last) {
  long (*const a0)[Columns] = a[0], (*const a1)[Columns] = a[1], (*const a2)[Columns] = a[2],
       (*const a3)[Columns] = a[3], (*const a4)[Columns] = a[4];
  for (int r = first; r < last; r++)
    for (int c = 0; c < Columns; c++) {
      a0[r][c] = expected(round, 0, r, c);
      a1[r][c] = expected(round, 1, r, c);
      a2[r][c] = expected(round, 2, r, c);
      a3[r][c] = expected(round, 3, r, c);
      a4[r][c] = expected(round, 4, r, c);
    }
  for (int k = 5; k < Arrays; k++)
    for (int r = first; r < last; r++)
      for (int c = 0; c < Columns; c++)
        a[k][r][c] = expected(round, k, r, c);
}

/* Two columns of each of twenty arrays: as many sections of rows that lie apart. */
static long sumOfAll(long (*a[Arrays])[Columns], int column) {
#define ARRAY(k) long (*const b##k)[Columns] = a[k];
#define SUM(k) +b##k[r][column] + b##k[r][column + 90]
  ARRAY(0) ARRAY(1) ARRAY(2) ARRAY(3) ARRAY(4) ARRAY(5) ARRAY(6) ARRAY(7) ARRAY(8) ARRAY(9)
  ARRAY(10) ARRAY(11) ARRAY(12) ARRAY(13) ARRAY(14) ARRAY(15) ARRAY(16) ARRAY(17) ARRAY(18) ARRAY(19)
  long sum = 0;
  for (int r = 0; r < Rows; r++)
    sum += 0 SUM(0) SUM(1) SUM(2) SUM(3) SUM(4) SUM(5) SUM(6) SUM(7) SUM(8) SUM(9) SUM(10) SUM(11) SUM(12) SUM(13)
        SUM(14) SUM(15) SUM(16) SUM(17) SUM(18) SUM(19);
  return sum;
}

/* The result is overwritten whole where it is apart from what is read, and shifted where it is not. */
static void combine(long *to, const long *x, const long *y, const long *z, int count) {
  for (int i = 0; i < count; i++)
    to[i] = x[i] + 2 * y[i] - z[i];
}

int main(void) {
  long (*a[Arrays])[Columns];
  for (int k = 0; k < Arrays; k++)
    a[k] = calloc(Rows, sizeof *a[k]);
  long *result = calloc(Rows * Columns, sizeof *result);
  for (int round = 1; round <= Rounds; round++) {
#pragma omp parallel
    {
      const int me = omp_get_thread_num(), threads = omp_get_num_threads();
      fill(round, a, Rows * me / threads, Rows * (me + 1) / threads);
#pragma omp barrier
      const int column = (me * 17 + round * 5) % 100;
      long sum = 0;
      for (int k = 0; k < Arrays; k++)
        for (int r = 0; r < Rows; r++)
          sum += expected(round, k, r, column) + expected(round, k, r, column + 90);
      expectInteger("sum", column, sum, sumOfAll(a, column));
      // From rows that another thread has written.
      const int from = Columns * Rows * ((me + 1) % threads) / threads, count = Columns * Rows / threads,
                at = Columns * Rows * me / threads;
      combine(result + at, a[0][0] + from, a[1][0] + from, a[2][0] + from, count);
    }
#pragma omp parallel
    {
      const int me = omp_get_thread_num(), team = omp_get_num_threads(), next = (me + 2) % team;
      const int from = Columns * Rows * ((next + 1) % team) / team, count = Columns * Rows / team,
                at = Columns * Rows * next / team;
      for (int i = 0; i < count; i++) {
        const int r = (from + i) / Columns, c = (from + i) % Columns;
        expectInteger("combined", at + i,
                      expected(round, 0, r, c) + 2 * expected(round, 1, r, c) - expected(round, 2, r, c),
                      result[at + i]);
      }
    }
    // The same array on both sides.
    combine(a[3][0] + 1, a[3][0], a[3][0], a[3][0] + 2, 500);
    for (int i = 0; i < 3; i++)
      expectInteger("kept", i, expected(round, 3, 0, i + 502), a[3][0][i + 502]);
  }
  for (int k = 0; k < Arrays; k++)
    free(a[k]);
  free(result);
  return finish();
}
