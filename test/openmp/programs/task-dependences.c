// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %on4 | grep -x ok
// depend in all kinds, taskgroup, taskwait depend, task reductions, detach.
#include "check.h"
#include <omp.h>

enum { Blocks = 12, Steps = 20 };
static int cell[Blocks + 2], expected[Blocks + 2];
static int chain, order[16];

int main(void) {
  // A stencil as a graph of tasks: each block waits for its neighbours of the step before.
  for (int i = 0; i < Blocks + 2; i++)
    cell[i] = expected[i] = i;
  for (int s = 0; s < Steps; s++)
    for (int i = 1; i <= Blocks; i++)
      expected[i] = expected[i - 1] + expected[i + 1] - expected[i] + s % 3;
#pragma omp parallel
#pragma omp single
  for (int s = 0; s < Steps; s++)
    for (int i = 1; i <= Blocks; i++) {
#pragma omp task depend(in : cell[i - 1], cell[i + 1]) depend(inout : cell[i])
      cell[i] = cell[i - 1] + cell[i + 1] - cell[i] + s % 3;
    }
  for (int i = 0; i < Blocks + 2; i++)
    EXPECT_EQUAL(expected[i], cell[i]);

  // A chain on each thread at once.
  int results[16] = {0};
#pragma omp parallel num_threads(4)
  {
    int value = 1, self = omp_get_thread_num();
    for (int k = 0; k < 10; k++) {
#pragma omp task shared(value) depend(inout : value)
      value = value * 2 + k;
    }
#pragma omp taskwait depend(in : value)
    results[self] = value;
#pragma omp taskwait
  }
  int value = 1;
  for (int k = 0; k < 10; k++)
    value = value * 2 + k;
  for (int i = 0; i < 4; i++)
    EXPECT_EQUAL(value, results[i]);

  // mutexinoutset and inoutset.
  int sum = 0, first = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : sum)
    first = 1;
    for (int k = 0; k < 20; k++) {
#pragma omp task depend(mutexinoutset : sum)
      sum += first;
    }
#pragma omp task depend(in : sum)
    sum *= 2;
  }
  EXPECT_EQUAL(40, sum);

  // A task group waits for descendants, too.
  int inner = 0, seen[4] = {0};
#pragma omp parallel num_threads(4)
  {
    int self = omp_get_thread_num(), mine = 0;
#pragma omp taskgroup
    {
#pragma omp task shared(mine)
      {
#pragma omp task shared(mine)
        {
#pragma omp atomic
          mine++;
        }
#pragma omp atomic
        mine++;
      }
    }
    seen[self] = mine;
#pragma omp atomic
    inner += mine;
  }
  EXPECT_EQUAL(8, inner);
  for (int i = 0; i < 4; i++)
    EXPECT_EQUAL(2, seen[i]);

  // Reductions over tasks, in a group and over a whole region.
  long grouped = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : grouped)
  for (int i = 0; i < 100; i++) {
#pragma omp task in_reduction(+ : grouped)
    grouped += i;
  }
  EXPECT_EQUAL(4950, grouped);
  long whole = 0;
  int threads = 0;
#pragma omp parallel reduction(task, + : whole)
  {
#pragma omp single nowait
    threads = omp_get_num_threads();
    for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : whole)
      whole += i;
    }
  }
  EXPECT_EQUAL(45 * threads, whole);

  // detach: the task is complete when its event is fulfilled.
  int detached = 0, after = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task detach(event) shared(detached) depend(out : chain)
    {
      detached = 1;
      omp_fulfill_event(event);
    }
#pragma omp task depend(in : chain) shared(after)
    after = detached + 1;
  }
  EXPECT_EQUAL(2, after);
  (void)order;
  return checkResult();
}
