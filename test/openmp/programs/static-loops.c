// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 several | grep -x ok
// RUN: %on3 several | grep -x ok
// RUN: %on4 several | grep -x ok
// Static loops of all kinds: every iteration once, by the thread that the schedule says, and
// lastprivate from the last one.
#include "check.h"
#include <omp.h>
#include <string.h>

enum { N = 1000 };
static int times[N], owner[N];

static void clear(void) {
  memset(times, 0, sizeof times);
  memset(owner, -1, sizeof owner);
}
static void once(int from, int to, int step) {
  for (int i = 0; i < N; i++) {
    int inside = i >= from && i <= to && (i - from) % step == 0;
    EXPECT_EQUAL(inside, times[i]);
  }
}

int main(int argc, char **argv) {
  (void)argv;
  int threads = omp_get_max_threads(), last = -1;
  clear();
#pragma omp parallel for schedule(static) lastprivate(last)
  for (int i = 0; i < N; i++) {
    times[i]++;
    owner[i] = omp_get_thread_num();
    last = i;
  }
  once(0, N - 1, 1);
  EXPECT_EQUAL(N - 1, last);
  for (int i = 1; i < N; i++)
    EXPECT(owner[i] >= owner[i - 1]);
  EXPECT_EQUAL(threads - 1, owner[N - 1]);

  clear();
#pragma omp parallel for schedule(static, 7) lastprivate(last)
  for (int i = 0; i < N; i++) {
    times[i]++;
    owner[i] = omp_get_thread_num();
    last = 2 * i;
  }
  once(0, N - 1, 1);
  EXPECT_EQUAL(2 * (N - 1), last);
  for (int i = 0; i < N; i++)
    EXPECT_EQUAL(i / 7 % threads, owner[i]);

  clear();
#pragma omp parallel for
  for (long i = 998; i > 3; i -= 5)
    times[i]++;
  once(8, 998, 5);

  clear();
#pragma omp parallel for schedule(static, 3)
  for (unsigned long i = 5; i < 990; i += 4)
    times[i]++;
  once(5, 989, 4);

  if (argc > 1) { // libomp 22 executes such iterations several times.
    clear();
#pragma omp parallel for simd schedule(simd : static, 4)
    for (int i = 7; i < 900; i += 3)
      times[i]++;
    once(7, 898, 3);
  }

  clear();
#pragma omp parallel for collapse(2)
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 50; j++)
      times[i * 50 + j]++;
  once(0, N - 1, 1);

  clear();
  int first = 17;
#pragma omp parallel
  {
#pragma omp for firstprivate(first) nowait
    for (int i = 0; i < 3; i++)
      times[i] += first - 16; // Fewer iterations than threads.
#pragma omp for
    for (int i = 3; i < 3; i++)
      times[i] = 99; // None at all.
#pragma omp sections lastprivate(last)
    {
#pragma omp section
      times[3]++;
#pragma omp section
      times[4]++;
#pragma omp section
      {
        times[5]++;
        last = 55;
      }
    }
  }
  once(0, 5, 1);
  EXPECT_EQUAL(55, last);
  return checkResult();
}
