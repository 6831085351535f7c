// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// ordered with collapse, with several loops and all schedules, orphaned in functions; doacross in two
// and three dimensions, with steps that are not one, in both directions.
#include "check.h"
#include <omp.h>

enum { N = 7 };
static int logged[600], count, cube[N + 1][N + 1][N + 1], grid[20][21], line[100];

static void record(int value) {
#pragma omp ordered
  logged[count++] = value;
}
static void expectOrder(int n) {
  EXPECT_EQUAL(n, count);
  int bad = 0;
  for (int i = 0; i < n; i++)
    bad += logged[i] != i;
  EXPECT_EQUAL(0, bad);
  count = 0;
}

int main(void) {
#pragma omp parallel for ordered collapse(2)
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 5; j++) {
      record(5 * i + j);
    }
  expectOrder(45);
#pragma omp parallel for ordered collapse(3) schedule(dynamic, 2)
  for (int i = 0; i < 3; i++)
    for (int j = 3; j >= 0; j--)
      for (int k = 0; k < 8; k += 2) {
#pragma omp ordered
        logged[count++] = 16 * i + 4 * (3 - j) + k / 2;
      }
  expectOrder(48);
#pragma omp parallel
  {
#pragma omp for ordered schedule(static, 3)
    for (long i = 0; i < 30; i++)
      record((int)i);
#pragma omp for ordered schedule(guided)
    for (unsigned char i = 30; i < 60; i++)
      record(i);
#pragma omp barrier
#pragma omp for ordered schedule(monotonic : dynamic)
    for (unsigned long i = 180; i > 120; i -= 2)
      if (i > 150 || i % 4 == 0)
        record(i > 150 ? 60 + (int)(180 - i) / 2 : 75 + (int)(150 - i) / 4);
#pragma omp for ordered schedule(auto)
    for (int i = 0; i < 0; i++)
      record(-1);
  }
  expectOrder(82);

  long hash = 0, wanted = 0;
#pragma omp parallel for ordered schedule(static) firstprivate(wanted)
  for (int i = 0; i < 50; i++) {
    wanted = i * i;
#pragma omp ordered threads
    hash = hash * 7 % 10007 + wanted;
  }
  long h = 0;
  for (int i = 0; i < 50; i++)
    h = h * 7 % 10007 + i * i;
  EXPECT_EQUAL(h, hash);

  // Three dimensions.
  for (int i = 0; i <= N; i++)
    for (int j = 0; j <= N; j++)
      cube[i][j][0] = cube[i][0][j] = cube[0][i][j] = 1;
#pragma omp parallel for ordered(3)
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++)
      for (int k = 1; k <= N; k++) {
#pragma omp ordered depend(sink : i - 1, j, k) depend(sink : i, j - 1, k) depend(sink : i, j, k - 1)
        cube[i][j][k] = (cube[i - 1][j][k] + cube[i][j - 1][k] + cube[i][j][k - 1]) % 10007;
#pragma omp ordered depend(source)
      }
  static int serial[N + 1][N + 1][N + 1];
  int bad = 0;
  for (int i = 0; i <= N; i++)
    for (int j = 0; j <= N; j++)
      for (int k = 0; k <= N; k++) {
        serial[i][j][k] = !i || !j || !k ? 1 : (serial[i - 1][j][k] + serial[i][j - 1][k] + serial[i][j][k - 1]) % 10007;
        bad += serial[i][j][k] != cube[i][j][k];
      }
  EXPECT_EQUAL(0, bad);

  // Falling and with steps; the second dimension looks ahead in the row before.
  for (int i = 0; i < 20; i++)
    grid[i][20] = grid[0][i] = 2;
#pragma omp parallel for ordered(2) schedule(static, 1)
  for (int i = 1; i < 20; i++)
    for (int j = 18; j >= 0; j -= 2) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j + 2)
      grid[i][j] = (grid[i - 1][j] * 2 + grid[i][j + 2]) % 10007;
#pragma omp ordered depend(source)
    }
  static int gridSerial[20][21];
  for (int i = 0; i < 20; i++)
    gridSerial[i][20] = gridSerial[0][i] = 2;
  for (int i = 1; i < 20; i++)
    for (int j = 18; j >= 0; j -= 2) {
      gridSerial[i][j] = (gridSerial[i - 1][j] * 2 + gridSerial[i][j + 2]) % 10007;
      bad += gridSerial[i][j] != grid[i][j];
    }
  EXPECT_EQUAL(0, bad);
#pragma omp parallel for ordered(1) schedule(dynamic)
  for (unsigned i = 9; i < 100; i += 3) {
#pragma omp ordered depend(sink : i - 9)
    line[i] = line[i - 9] + 1;
#pragma omp ordered depend(source)
  }
  for (int i = 9; i < 100; i += 3)
    EXPECT_EQUAL(i / 9, line[i]);
  return checkResult();
}
