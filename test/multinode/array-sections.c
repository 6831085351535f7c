// Loop nests whose accesses are sections with strides, in both directions and in three dimensions:
// each node writes its part and reads the others', in turns, and every element is compared.
#include "report.h"
#include <omp.h>
#include <stdlib.h>

enum { Planes = 12, Rows = 40, Columns = 300 };
static int cube[Planes][Rows][Columns];
static int expected(int round, int p, int r, int c) {
  return round * 1000003 + (p * Rows + r) * Columns + c;
}

/* Every `step`-th row from the last to the first, and columns first..last-1, also backwards. */
static void fill(int round, int p, long step, int first, int last) {
  for (long r = Rows - 1; r >= 0; r -= step)
    for (int c = last - 1; c >= first; c--)
      cube[p][r][c] = expected(round, p, (int)r, c);
}
static long columnSum(int p, int c, long stride) {
  long sum = 0;
  const int *at = &cube[p][0][c];
  for (long r = 0; r < Rows; r++)
    sum += at[r * stride];
  return sum;
}
/* Five columns of all planes and rows: rows and planes lie apart. */
static long blockSum(int first) {
  long sum = 0;
  for (int p = 0; p < Planes; p++)
    for (int r = 0; r < Rows; r++)
      for (int c = first; c < first + 5; c++)
        sum += cube[p][r][c];
  return sum;
}

int main(int argc, char **argv) {
  const long step = argc > 1 ? atol(argv[1]) : 1, stride = step * Columns;
  for (int round = 1; round <= 4; round++) {
#pragma omp parallel
    {
      const int me = omp_get_thread_num(), threads = omp_get_num_threads();
      // Parts of rows: neighbours in a line and in a block belong to different threads.
      for (int p = 0; p < Planes; p++)
        fill(round, p, step, Columns * me / threads, Columns * (me + 1) / threads);
#pragma omp barrier
      for (int k = 0; k < 20; k++) {
        const int p = (me + k) % Planes, c = (me * 37 + k * 61) % Columns;
        long sum = 0;
        for (int r = 0; r < Rows; r++)
          sum += expected(round, p, r, c);
        expectInteger("column", c, sum, columnSum(p, c, stride));
      }
      const int first = (me * 61) % (Columns - 5);
      long sum = 0;
      for (int p = 0; p < Planes; p++)
        for (int r = 0; r < Rows; r++)
          for (int c = first; c < first + 5; c++)
            sum += expected(round, p, r, c);
      expectInteger("block", first, sum, blockSum(first));
    }
  }
  return finish();
}
