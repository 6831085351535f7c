// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %on4 | grep -x ok
// Nested regions stay in their node and have thread numbers of their own; if(0) makes a team of one.
#include "check.h"
#include <omp.h>

static int inner[64], outer[64], serial[64];

int main(void) {
  int threads = omp_get_max_threads();
  omp_set_max_active_levels(2);
#pragma omp parallel
  {
    int me = omp_get_thread_num(), bits = 0, sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
#pragma omp atomic
      bits |= 1 << omp_get_thread_num();
      sum += omp_get_num_threads();
      if (omp_get_ancestor_thread_num(1) != me || omp_get_level() != 2 ||
          omp_get_team_size(1) != omp_get_num_threads() - 2 + threads)
        sum += 100;
#pragma omp barrier
#pragma omp for
      for (int i = 0; i < 10; i++) {
#pragma omp atomic
        outer[me]++;
      }
#pragma omp single
      outer[me] += 1000;
#pragma omp critical
      outer[me] += 100;
    }
    inner[me] = bits * 100 + sum;
    int team = 0;
#pragma omp parallel if (0) num_threads(7)
    team += omp_get_num_threads() + omp_get_thread_num();
    serial[me] = team * 10 + (omp_get_num_threads() == threads && omp_get_thread_num() == me);
  }
  for (int i = 0; i < threads; i++) {
    EXPECT_EQUAL(304, inner[i]);
    EXPECT_EQUAL(1210, outer[i]);
    EXPECT_EQUAL(11, serial[i]);
  }
  int alone = 0;
#pragma omp parallel if (threads < 0)
  {
    alone += omp_get_num_threads();
#pragma omp parallel num_threads(2)
#pragma omp atomic
    alone += 10;
  }
  EXPECT_EQUAL(21, alone);
  int again = 0;
#pragma omp parallel reduction(+ : again)
  again++;
  EXPECT_EQUAL(threads, again);
  return checkResult();
}
