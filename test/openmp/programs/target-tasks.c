// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 spread | grep -x ok
// RUN: %on3 spread | grep -x ok
// RUN: %full %on4 spread | grep -x ok
// Target regions with nowait, which are tasks, and with dependences; their regions have the threads
// of all nodes. thread_limit of a target construct. Target regions as tasks of a parallel region.
#include "check.h"
#include <omp.h>
#include <string.h>

enum { N = 40000 };
static double a[N], b[N];
static int threads[3], sums[64];

int main(int argc, char **argv) {
  const int isSpread = argc > 1 && !strcmp(argv[1], "spread"), all = omp_get_max_threads();
#pragma omp target teams distribute parallel for nowait depend(out : a) map(tofrom : a)
  for (int i = 0; i < N; i++) {
    a[i] = i;
    if (i == 0)
      threads[0] = omp_get_num_threads();
  }
#pragma omp target parallel for nowait depend(in : a) depend(out : b) map(tofrom : a, b)
  for (int i = 0; i < N; i++) {
    b[i] = 2 * a[i];
    if (i == 0)
      threads[1] = omp_get_num_threads();
  }
  double last = 0;
#pragma omp task depend(in : b) shared(last)
  last = b[N - 1];
#pragma omp taskwait
  EXPECT(last == 2 * (N - 1));
  if (isSpread) {
    EXPECT_EQUAL(all, threads[0]);
    EXPECT_EQUAL(all, threads[1]);
  }

  int limit = 0;
#pragma omp target thread_limit(2) map(tofrom : limit)
  {
    limit = omp_get_thread_limit();
#pragma omp parallel
#pragma omp single
    threads[2] = omp_get_num_threads();
  }
  EXPECT_EQUAL(2, limit);
  EXPECT(threads[2] <= 2);
#pragma omp parallel
#pragma omp single
  threads[2] = omp_get_num_threads();
  if (isSpread)
    EXPECT_EQUAL(all, threads[2]);

#pragma omp parallel
#pragma omp single
  for (int t = 0; t < 64; t++)
#pragma omp target nowait firstprivate(t) map(tofrom : sums[t : 1])
    for (int i = 0; i <= t; i++)
      sums[t] += i;
  for (int t = 0; t < 64; t++)
    EXPECT_EQUAL(t * (t + 1) / 2, sums[t]);
#pragma omp target enter data nowait map(to : a) depend(inout : a)
#pragma omp target update nowait to(a) depend(inout : a)
#pragma omp target exit data nowait map(from : a) depend(inout : a)
#pragma omp taskwait
  return checkResult();
}
