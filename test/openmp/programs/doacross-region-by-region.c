// RUN: %build-c
// RUN: env OMP_NUM_THREADS=4 %run -n 4 %t | grep -x ok
// RUN: env OMP_NUM_THREADS=4 %run -n 4 %t | grep -x ok
// RUN: env OMP_NUM_THREADS=6 %run -n 3 %t | grep -x ok
// RUN: env OMP_NUM_THREADS=4 %run -n 4 --provider tcp %t | grep -x ok
// Short wavefronts, a region for each, and several in a region: a node asks for flags of the next one while others have not left the one
// before. Where a flag comes from changes, so that nodes expect it from the wrong one.
#include "check.h"

enum { Rounds = 30, Rows = 13, Columns = 9 };
static long field[Rows + 1][Columns + 1], expected[Rows + 1][Columns + 1];

static long next(long above, long left, int round) { return (3 * above + 5 * left + round) % 100003; }

static void step(int round) {
  for (int i = 1; i <= Rows; i++)
    for (int j = 1; j <= Columns; j++)
      expected[i][j] = next(expected[i - 1][j], expected[i][j - 1], round);
}

static void compare(void) {
  for (int i = 1; i <= Rows; i++)
    for (int j = 1; j <= Columns; j++)
      EXPECT_EQUAL(expected[i][j], field[i][j]);
}

int main(void) {
  for (int round = 0; round < Rounds; round++) {
    step(round);
#pragma omp parallel for ordered(2) schedule(static, 1)
    for (int i = 1; i <= Rows; i++)
      for (int j = 1; j <= Columns; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
        field[i][j] = next(field[i - 1][j], field[i][j - 1], round);
#pragma omp ordered depend(source)
      }
    compare();
  }
#pragma omp parallel
  for (int round = 0; round < Rounds; round++) {
#pragma omp single
    step(round);
    // In turns of one row and of two, so that the row above is another node's each time.
#pragma omp for ordered(2) schedule(static, 1)
    for (int i = 1; i <= Rows; i++)
      for (int j = 1; j <= Columns; j++) {
#pragma omp ordered depend(sink : i - 1, j)
        field[i][j] = next(field[i - 1][j], field[i][j - 1], round);
#pragma omp ordered depend(source)
      }
#pragma omp single
    {
      compare();
      step(round);
    }
#pragma omp for ordered(2) schedule(dynamic, 2)
    for (int i = 1; i <= Rows; i++)
      for (int j = 1; j <= Columns; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i - 2, j)
        field[i][j] = next(field[i - 1][j], field[i][j - 1], round);
#pragma omp ordered depend(source)
      }
#pragma omp single
    compare();
  }
  return checkResult();
}
