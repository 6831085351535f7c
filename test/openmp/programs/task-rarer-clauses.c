// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Tasks with the rarer clauses: affinity, untied with taskyield, detach (fulfilled by the thread that
// made it), omp_all_memory, depend on taskwait, final and omp_in_final, if(0) in trees, tasks in sections.
#include "check.h"
#include <omp.h>

static int done[64], finals, sectioned[3], yields[40];

static void descend(int depth) {
#pragma omp task final(depth >= 3) untied
  {
    if (depth >= 3 && !omp_in_final()) {
#pragma omp atomic
      finals += 1000;
    }
    if (depth < 5) {
      descend(depth + 1);
      descend(depth + 1);
    } else {
#pragma omp atomic
      finals++;
    }
#pragma omp taskwait
  }
}

int main(void) {
  int threads = 0, wrong = 0, all = 0, x = 0, y = 0;
#pragma omp parallel reduction(+ : wrong)
  {
#pragma omp single
    threads = omp_get_num_threads();
    int me = omp_get_thread_num();
    omp_event_handle_t event;
    int before = 0, now = 0;
#pragma omp task detach(event) shared(before)
    before = 1;
#pragma omp task if (0) shared(now)
    now = 10;
    omp_fulfill_event(event);
#pragma omp taskwait
    wrong += before + now != 11;
    done[me]++;
#pragma omp for
    for (int i = 0; i < 40; i++) {
#pragma omp task untied affinity(yields[i]) firstprivate(i)
      {
        yields[i]++;
#pragma omp taskyield
        yields[i]++;
#pragma omp task if (i % 2)
        yields[i]++;
#pragma omp taskwait
        yields[i]++;
      }
    }
#pragma omp single
    descend(0);
#pragma omp sections
    {
#pragma omp section
      {
#pragma omp task
        sectioned[0] += 5;
      }
#pragma omp section
      {
#pragma omp taskgroup
        {
#pragma omp task
          sectioned[1] += 6;
        }
        sectioned[1] *= 2;
      }
#pragma omp section
      sectioned[2] += 7;
    }
#pragma omp single
    {
#pragma omp task shared(x) depend(out : x)
      x = 5;
#pragma omp task shared(y) depend(out : y)
      y = 6;
#pragma omp task shared(all, x, y) depend(inout : omp_all_memory)
      all = x + y;
#pragma omp task shared(all, x) depend(in : x)
      x += all;
    }
  }
  EXPECT_EQUAL(0, wrong);
  EXPECT_EQUAL(11, all);
  EXPECT_EQUAL(16, x);
  EXPECT_EQUAL(32, finals);
  EXPECT_EQUAL(5, sectioned[0]);
  EXPECT_EQUAL(12, sectioned[1]);
  EXPECT_EQUAL(7, sectioned[2]);
  for (int i = 0; i < threads; i++)
    EXPECT_EQUAL(1, done[i]);
  for (int i = 0; i < 40; i++)
    EXPECT_EQUAL(4, yields[i]);
  return checkResult();
}
