// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %on4 | grep -x ok
// ordered(n) with source and sink: a recurrence, a wavefront over two dimensions, negative strides,
// sinks outside of the loop.
#include "check.h"
#include <omp.h>

enum { N = 40, M = 30 };
static long line[4 * N], wave[N][M], expectedWave[N][M];

int main(void) {
  line[0] = 1;
#pragma omp parallel for ordered(1)
  for (int i = 1; i < 4 * N; i++) {
#pragma omp ordered depend(sink : i - 1)
    line[i] = (line[i - 1] * 7 + i) % 10007;
#pragma omp ordered depend(source)
  }
  for (long i = 1, value = 1; i < 4 * N; i++) {
    value = (value * 7 + i) % 10007;
    EXPECT_EQUAL(value, line[i]);
  }

  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      wave[i][j] = expectedWave[i][j] = i * j;
  for (int i = 1; i < N; i++)
    for (int j = 1; j < M; j++)
      expectedWave[i][j] = (expectedWave[i - 1][j] + expectedWave[i][j - 1] + expectedWave[i - 1][j - 1]) % 1000;
#pragma omp parallel
#pragma omp for ordered(2) schedule(static, 1)
  for (int i = 1; i < N; i++)
    for (int j = 1; j < M; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
      wave[i][j] = (wave[i - 1][j] + wave[i][j - 1] + wave[i - 1][j - 1]) % 1000;
#pragma omp ordered depend(source)
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      EXPECT_EQUAL(expectedWave[i][j], wave[i][j]);

  // Downwards with a stride, dynamically scheduled, a distance of two, twice in a region.
#pragma omp parallel
  for (int round = 0; round < 2; round++) {
#pragma omp for ordered(1) schedule(dynamic, 2)
    for (int i = 4 * N - 1; i >= 6; i -= 3) {
#pragma omp ordered depend(sink : i + 6)
      line[i] = i + 6 < 4 * N ? line[i + 6] + 1 : 0;
#pragma omp ordered depend(source)
    }
  }
  int distance = 0;
  for (int i = 4 * N - 1; i >= 6; i -= 3, distance++)
    EXPECT_EQUAL(distance / 2, line[i]);
  return checkResult();
}
