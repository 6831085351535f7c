// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Loops of uneven work: the expensive iterations first, last or at one thread; results of who took what
// are complete; loops of one iteration; tasks, criticals and atomics in the bodies; many loops in a row.
#include "check.h"
#include <omp.h>

enum { N = 300 };
static int taken[N], owner[N], primes, order[N], at;

static int isPrime(int n) {
  for (int d = 2; d * d <= n; d++)
    if (n % d == 0)
      return 0;
  return n > 1;
}
static void spend(double seconds) {
  double until = omp_get_wtime() + seconds;
  while (omp_get_wtime() < until)
    ;
}

int main(void) {
  int wrong = 0;
#pragma omp parallel reduction(+ : wrong)
  {
    for (int where = 0; where < 3; where++) {
#pragma omp for schedule(dynamic)
      for (int i = 0; i < N; i++) {
        if (where == 0 ? i < 4 : where == 1 ? i >= N - 4 : i % 75 == 0)
          spend(.003);
        taken[i]++;
        owner[i] = omp_get_thread_num();
      }
      for (int i = 0; i < N; i++)
        wrong += taken[i] != where + 1 || owner[i] < 0 || owner[i] >= omp_get_num_threads();
#pragma omp barrier
    }
    // One thread is busy elsewhere: the others do its share.
    if (omp_get_thread_num() == 0)
      spend(.03);
#pragma omp for schedule(dynamic, 2) reduction(+ : primes)
    for (int i = 0; i < 3000; i++)
      primes += isPrime(i);
#pragma omp for schedule(guided, 3)
    for (int i = 0; i < N; i++) {
#pragma omp task firstprivate(i)
      {
        int mine;
#pragma omp atomic capture
        mine = at++;
        order[mine] = i;
      }
    }
    for (int i = 0; i < 100; i++) {
#pragma omp for schedule(dynamic)
      for (int k = i; k < i + 1; k++)
        taken[k]++;
    }
    for (int i = 0; i < 30; i++) {
#pragma omp for schedule(guided) nowait
      for (int k = 0; k < i; k++) {
#pragma omp critical
        owner[0] = k;
      }
    }
  }
  EXPECT_EQUAL(0, wrong);
  EXPECT_EQUAL(430, primes);
  EXPECT_EQUAL(N, at);
  int seen[N] = {0};
  for (int i = 0; i < N; i++)
    seen[order[i]]++;
  for (int i = 0; i < N; i++) {
    EXPECT_EQUAL(1, seen[i]);
    EXPECT_EQUAL(3 + (i < 100), taken[i]);
  }
  return checkResult();
}
