// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %on4 | grep -x ok
// Without OMP_CANCELLATION cancel does nothing. scope has a reduction and a barrier.
#include "check.h"
#include <omp.h>

int main(void) {
  int executed = 0, sum = 0;
#pragma omp parallel for reduction(+ : executed)
  for (int i = 0; i < 100; i++) {
    executed++;
    if (i == 50) {
#pragma omp cancel for
    }
#pragma omp cancellation point for
  }
  EXPECT_EQUAL(100, executed);
  int threads = 0;
#pragma omp parallel
  {
#pragma omp scope reduction(+ : sum)
    sum += 2;
#pragma omp single
    threads = omp_get_num_threads();
  }
  EXPECT_EQUAL(2 * threads, sum);
  return checkResult();
}
