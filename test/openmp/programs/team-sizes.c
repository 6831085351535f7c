// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %on4 | grep -x ok
// num_threads and omp_set_num_threads mean the whole team, also when it is smaller than the number of
// nodes or no multiple of it; barriers work when nodes have no thread at all.
#include "check.h"
#include <omp.h>

static int seen[64], order[64];

static void run(int threads) {
  for (int i = 0; i < 64; i++)
    seen[i] = order[i] = 0;
#pragma omp parallel num_threads(threads)
  {
    int me = omp_get_thread_num();
    seen[me] += omp_get_num_threads();
#pragma omp barrier
    order[me] = seen[(me + 1) % threads];
#pragma omp barrier
    seen[me] += order[(me + 1) % threads];
  }
  for (int i = 0; i < 64; i++) {
    EXPECT_EQUAL(i < threads ? 2 * threads : 0, seen[i]);
    EXPECT_EQUAL(i < threads ? threads : 0, order[i]);
  }
}

int main(void) {
  for (int threads = 1; threads <= 9; threads++)
    run(threads);
  for (int threads = 9; threads >= 1; threads -= 4)
    run(threads);
  omp_set_num_threads(3);
  EXPECT_EQUAL(3, omp_get_max_threads());
  int size = 0;
#pragma omp parallel
#pragma omp single
  size = omp_get_num_threads();
  EXPECT_EQUAL(3, size);
  run(5);
#pragma omp parallel
#pragma omp single
  size = omp_get_num_threads();
  EXPECT_EQUAL(3, size);
  return checkResult();
}
