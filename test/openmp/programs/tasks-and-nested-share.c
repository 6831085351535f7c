// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// What tasks and nested regions do with the data of other nodes: critical, locks, atomics and reductions
// inside them; values go from a task of one thread to a nested region of another over barriers.
#include "check.h"
#include <omp.h>
#include <stdlib.h>

enum { Cells = 256 };
static int cells[Cells], log_[Cells];
static long underCritical, underLock, byAtomic;
static omp_lock_t lock;

int main(void) {
  int threads = 0, wrong = 0;
  omp_init_lock(&lock);
  omp_set_max_active_levels(2);
#pragma omp parallel reduction(+ : wrong)
  {
#pragma omp single
    threads = omp_get_num_threads();
    int me = omp_get_thread_num(), n = omp_get_num_threads();
    for (int round = 0; round < 6; round++) {
      // Tasks write every n-th cell, with an offset that moves.
      for (int i = (me + round) % n; i < Cells; i += n) {
#pragma omp task firstprivate(i, round)
        {
          cells[i] = cells[i] + i + round;
#pragma omp critical
          underCritical++;
          omp_set_lock(&lock);
          underLock++;
          omp_unset_lock(&lock);
        }
      }
#pragma omp taskwait
#pragma omp barrier
      // Nested regions read all, and write their part of another array.
      long sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
      for (int i = 0; i < Cells; i++)
        sum += cells[i];
      long wanted = 0;
      for (int i = 0; i < Cells; i++)
        wanted += (round + 1) * i + round * (round + 1) / 2;
      wrong += sum != wanted;
#pragma omp parallel num_threads(2)
      {
#pragma omp for schedule(dynamic, 4)
        for (int i = me; i < Cells; i += n) {
          log_[i] += cells[Cells - 1 - i];
#pragma omp atomic
          byAtomic++;
        }
#pragma omp single
        {
#pragma omp task
#pragma omp critical(named)
          underCritical += 0;
        }
#pragma omp sections
        {
#pragma omp section
#pragma omp atomic
          byAtomic += 2;
#pragma omp section
#pragma omp atomic
          byAtomic -= 2;
        }
      }
#pragma omp barrier
      for (int i = 0; i < Cells; i++) {
        long value = 0;
        for (int r = 0; r <= round; r++)
          value += (r + 1) * (Cells - 1 - i) + r * (r + 1) / 2;
        wrong += log_[i] != value;
      }
#pragma omp barrier
    }
    // Regions of one thread: everything works in them.
    int alone = 0;
#pragma omp parallel num_threads(1)
    {
#pragma omp for schedule(dynamic) ordered
      for (int i = 0; i < 10; i++) {
#pragma omp ordered
        alone = alone * 2 % 1009 + i;
      }
#pragma omp single
      alone++;
#pragma omp barrier
#pragma omp task shared(alone)
      alone++;
    }
    int w = 0;
    for (int i = 0; i < 10; i++)
      w = w * 2 % 1009 + i;
    wrong += alone != w + 2;
  }
  EXPECT_EQUAL(0, wrong);
  EXPECT_EQUAL(6 * Cells, underCritical);
  EXPECT_EQUAL(6 * Cells, underLock);
  EXPECT_EQUAL(6 * Cells, byAtomic);
  EXPECT(threads >= 1);
  omp_destroy_lock(&lock);
  return checkResult();
}
