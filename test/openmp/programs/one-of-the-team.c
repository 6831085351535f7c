// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %on4 | grep -x ok
// single: one thread of the whole team, also for many nowait singles; master and masked: that thread.
#include "check.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { Singles = 500 };
static int executed[Singles], who[8];

int main(void) {
  int threads = omp_get_max_threads(), value = 0;
#pragma omp parallel
  {
    for (int i = 0; i < Singles; i++) {
#pragma omp single nowait
      {
#pragma omp atomic
        executed[i]++;
      }
    }
#pragma omp single
    value = 42;
    if (value != 42)
      abort();
#pragma omp barrier
#pragma omp single
    value++;
    if (value != 43)
      abort();
#pragma omp master
    who[0] += 1 + omp_get_thread_num();
#pragma omp masked
    who[1] += 1 + omp_get_thread_num();
#pragma omp masked filter(threads - 1)
    who[2] += 1 + omp_get_thread_num();
#pragma omp masked filter(threads)
    who[3]++;
  }
  for (int i = 0; i < Singles; i++)
    EXPECT_EQUAL(1, executed[i]);
  EXPECT_EQUAL(1, who[0]);
  EXPECT_EQUAL(1, who[1]);
  EXPECT_EQUAL(threads, who[2]);
  EXPECT_EQUAL(0, who[3]);
  EXPECT_EQUAL(43, value);
  return checkResult();
}
