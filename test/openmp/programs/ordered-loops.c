// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %on4 | grep -x ok
// Ordered regions are entered in the order of the loop under every schedule, also when iterations skip
// them; what they write is seen by the next.
#include "check.h"
#include <omp.h>

enum { N = 60 };
static int log_[N], count;
static long chain;

static void record(int i) {
  log_[count++] = i;
  chain = chain * 3 % 1000003 + i;
}
static void expectOrder(int from, int step, int n) {
  long wanted = 0;
  EXPECT_EQUAL(n, count);
  for (int k = 0; k < n; k++) {
    EXPECT_EQUAL(from + k * step, log_[k]);
    wanted = wanted * 3 % 1000003 + from + k * step;
  }
  EXPECT_EQUAL(wanted, chain);
  count = 0;
  chain = 0;
}

int main(void) {
#pragma omp parallel for ordered
  for (int i = 0; i < N; i++)
#pragma omp ordered
    record(i);
  expectOrder(0, 1, N);
#pragma omp parallel for ordered schedule(static, 3)
  for (int i = 0; i < N; i++) {
#pragma omp ordered
    record(i);
  }
  expectOrder(0, 1, N);
#pragma omp parallel for ordered schedule(dynamic)
  for (long i = N - 1; i >= 0; i--)
#pragma omp ordered
    record((int)i);
  expectOrder(N - 1, -1, N);
#pragma omp parallel for ordered schedule(dynamic, 4)
  for (unsigned i = 0; i < N; i++)
    if (i % 3 == 1) { // Two thirds of the iterations have no ordered region.
#pragma omp ordered
      record((int)i);
    }
  expectOrder(1, 3, N / 3);
#pragma omp parallel for ordered schedule(guided)
  for (int i = 0; i < N; i++)
#pragma omp ordered
    record(i);
  expectOrder(0, 1, N);
  omp_set_schedule(omp_sched_dynamic, 2);
#pragma omp parallel for ordered schedule(runtime)
  for (int i = 0; i < N; i++)
#pragma omp ordered
    record(i);
  expectOrder(0, 1, N);

  // Several loops of a region, nowait; before, work that is not ordered.
  int before[N] = {0};
#pragma omp parallel
  for (int round = 0; round < 3; round++) {
#pragma omp for ordered schedule(static, 1) nowait
    for (int i = 0; i < 10; i++) {
#pragma omp atomic
      before[i]++;
#pragma omp ordered
      if (round == 2)
        record(i);
    }
  }
  expectOrder(0, 1, 10);
  for (int i = 0; i < 10; i++)
    EXPECT_EQUAL(3, before[i]);

  // Fewer iterations than threads, and none.
#pragma omp parallel for ordered schedule(dynamic)
  for (int i = 0; i < 2; i++)
#pragma omp ordered
    record(i);
  expectOrder(0, 1, 2);
#pragma omp parallel for ordered
  for (int i = 5; i < 5; i++)
#pragma omp ordered
    record(i);
  expectOrder(0, 1, 0);
  return checkResult();
}
