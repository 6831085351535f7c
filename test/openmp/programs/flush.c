// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %on4 | grep -x ok
// A flag that is set after a flush and read before one: the data that it stands for is there.
#include "check.h"
#include <omp.h>
#include <sched.h>

static int data[64], flag[64];

int main(void) {
  int threads = omp_get_max_threads(), wrong = 0;
#pragma omp parallel
  {
    int me = omp_get_thread_num(), left = (me + threads - 1) % threads;
    for (int round = 1; round <= 20; round++) {
      if (me == 0) {
        data[me] = round;
#pragma omp flush
#pragma omp atomic write
        flag[me] = round;
      }
      int seen = 0;
      if (me != 0 || threads > 1)
        while (seen < round) {
#pragma omp atomic read
          seen = flag[left];
          sched_yield();
        }
#pragma omp flush
      if (threads > 1 && data[left] < round) {
#pragma omp atomic
        wrong++;
      }
      if (me != 0) {
        data[me] = round;
#pragma omp flush
#pragma omp atomic write
        flag[me] = round;
      }
    }
  }
  EXPECT_EQUAL(0, wrong);
  return checkResult();
}
