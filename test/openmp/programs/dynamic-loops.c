// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %on4 | grep -x ok
// Dynamically scheduled loops: every iteration once however the work is spread, also when nowait
// loops overtake one another, when there are fewer iterations than threads, and with every type.
#include "check.h"
#include <omp.h>
#include <string.h>

enum { N = 600, Loops = 40 };
static int times[N], many[Loops][N];
static volatile double sink;

static void work(int amount) {
  double x = 1;
  for (int i = 0; i < amount; i++)
    x = x * 1.0000001 + 1e-9;
  sink = x;
}
static void once(int from, int to, int step) {
  for (int i = 0; i < N; i++)
    EXPECT_EQUAL(i >= from && i <= to && (i - from) % step == 0, times[i]);
  memset(times, 0, sizeof times);
}

int main(void) {
  int last = -1;
  // monotonic, because libomp 22 loses the last iteration's flag when its default, stealing inside
  // the node, hands it on; with one node that is what runs.
#pragma omp parallel for schedule(monotonic : dynamic) lastprivate(last)
  for (int i = 0; i < N; i++) {
    times[i]++;
    last = i;
    work(i < N / 4 ? 20000 : 10); // The first node has most of the work.
  }
  once(0, N - 1, 1);
  EXPECT_EQUAL(N - 1, last);

#pragma omp parallel for schedule(nonmonotonic : dynamic, 13)
  for (long i = N - 1; i >= 0; i -= 3)
    times[i]++;
  once(2, N - 1, 3);

#pragma omp parallel for schedule(guided)
  for (unsigned i = 7; i < N; i += 2)
    times[i]++;
  once(7, N - 1, 2);

#pragma omp parallel for schedule(guided, 20) lastprivate(last)
  for (unsigned long i = 0; i < N; i++) {
    times[i]++;
    last = (int)i + 1;
  }
  once(0, N - 1, 1);
  EXPECT_EQUAL(N, last);

#pragma omp parallel for schedule(auto)
  for (int i = 0; i < N; i++)
    times[i]++;
  once(0, N - 1, 1);

  omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto};
  for (int k = 0; k < 4; k++)
    for (int chunk = 0; chunk < 12; chunk += 11) {
      omp_set_schedule(kinds[k], chunk);
      last = -1;
#pragma omp parallel for schedule(monotonic : runtime) lastprivate(last)
      for (int i = 0; i < N; i++) {
        times[i]++;
        last = i;
      }
      once(0, N - 1, 1);
      EXPECT_EQUAL(N - 1, last);
    }

#pragma omp parallel
  {
    for (int loop = 0; loop < Loops; loop++) {
#pragma omp for schedule(dynamic, 3) nowait
      for (int i = 0; i < N; i++) {
#pragma omp atomic
        many[loop][i]++;
        if (omp_get_thread_num() == loop % 4)
          work(500);
      }
    }
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 2; i++)
      times[i]++;
#pragma omp for schedule(dynamic)
    for (int i = 5; i < 5; i++)
      times[i] = 99;
  }
  once(0, 1, 1);
  for (int loop = 0; loop < Loops; loop++)
    for (int i = 0; i < N; i++)
      EXPECT_EQUAL(1, many[loop][i]);
  return checkResult();
}
