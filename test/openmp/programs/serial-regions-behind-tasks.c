// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// Behind tasks that other nodes may have got: a region of one thread, with a nested region and barriers in it.
#include "check.h"
#include <omp.h>

static int count;

static void makeTasks(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 16; i++) {
#pragma omp task
    {
      const double end = omp_get_wtime() + 2e-4;
      while (omp_get_wtime() < end) {
      }
#pragma omp atomic
      count++;
    }
  }
}

static void serialRegion(void) {
#pragma omp parallel if (0)
  {
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 4; i++) {
#pragma omp atomic
      count++;
    }
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < 3; i++)
      count++;
#pragma omp task
    count++;
#pragma omp barrier
    count++;
  }
}

int main(void) {
  for (int round = 1; round <= 3; round++) {
    makeTasks();
    serialRegion();
    EXPECT_EQUAL(round * (16 + 4 + 3 + 1 + 1), count);
  }
  return checkResult();
}
