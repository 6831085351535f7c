// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// loop, simd, for simd and declare simd; masked with a filter; orphaned constructs in functions at
// several depths; barriers and singles inside loops and functions.
#include "check.h"
#include <omp.h>

enum { N = 640 };
static float a[N], b[N];
static int hits[N], filtered[8], singles[50], order[64];
static int wrong;

#pragma omp declare simd uniform(k) linear(i : 1) notinbranch
static float scaled(float x, float k, int i) { return x * k + i; }
#pragma omp declare simd simdlen(4) inbranch
static int odd(int i) { return i & 1; }

static void orphanedLoop(int n) {
#pragma omp for schedule(dynamic, 3)
  for (int i = 0; i < n; i++)
    hits[i]++;
}
static void deeper(int depth, int n) {
  if (depth > 0)
    deeper(depth - 1, n);
  else
    orphanedLoop(n);
#pragma omp barrier
}
static int orphanedReduction(void) {
  static int sum;
#pragma omp single
  sum = 0;
#pragma omp for simd reduction(+ : sum)
  for (int i = 0; i < 100; i++)
    sum += i;
  int result = sum;
#pragma omp barrier
  return result;
}
static void meet(void) {
#pragma omp barrier
}

int main(void) {
#pragma omp parallel for simd safelen(8) aligned(a : 4)
  for (int i = 0; i < N; i++)
    a[i] = i * .5f;
#pragma omp parallel for simd simdlen(4) schedule(static, 16)
  for (int i = 0; i < N; i++)
    b[i] = scaled(a[i], 2, i);
  int bad = 0, odds = 0, last = 0;
  for (int i = 0; i < N; i++)
    bad += b[i] != 2.f * i;
  EXPECT_EQUAL(0, bad);
#pragma omp parallel for simd reduction(+ : odds) lastprivate(last)
  for (int i = 0; i < N; i++) {
    if (i > 10)
      odds += odd(i);
    last = i * 2;
  }
  EXPECT_EQUAL(N / 2 - 5, odds);
  EXPECT_EQUAL(2 * N - 2, last);
  int linear = 5;
#pragma omp parallel for linear(linear : 3) schedule(static, 7)
  for (int i = 0; i < 100; i++)
    hits[i] = linear == 5 + 3 * i ? 0 : 99, linear += 3;
  EXPECT_EQUAL(305, linear);

#pragma omp parallel
  {
#pragma omp loop
    for (int i = 0; i < N; i++)
      hits[i]++;
#pragma omp loop bind(parallel) collapse(2)
    for (int i = 0; i < N / 10; i++)
      for (int k = 0; k < 10; k++)
        hits[10 * i + k]++;
#pragma omp loop bind(thread)
    for (int i = omp_get_thread_num(); i < N; i += 1000)
      hits[i]++;
  }
#pragma omp parallel loop
  for (int i = 0; i < N; i++)
    hits[i]++;
  int threads = 0;
#pragma omp parallel
  {
#pragma omp single
    threads = omp_get_num_threads();
    deeper(3, N);
    if (orphanedReduction() != 4950 || orphanedReduction() != 4950)
#pragma omp atomic
      wrong++;
    for (int i = 0; i < 8; i++) {
#pragma omp masked filter(i)
      filtered[i] = omp_get_thread_num() + 1;
#pragma omp masked filter((i + 1) % omp_get_num_threads())
      {
#pragma omp atomic
        wrong += omp_get_thread_num() != (i + 1) % omp_get_num_threads();
      }
    }
    for (int i = 0; i < 50; i++) {
#pragma omp single
      singles[i] = (i ? singles[i - 1] : 0) + 1;
      if (singles[i] != i + 1)
#pragma omp atomic
        wrong++;
    }
    // Everybody in turn, with barriers of a function between.
    for (int t = 0; t < omp_get_num_threads(); t++) {
      if (t == omp_get_thread_num())
        order[t] = (t ? order[t - 1] : 0) + t;
      meet();
      if (order[t] != t * (t + 1) / 2)
#pragma omp atomic
        wrong++;
    }
#pragma omp master
    order[63] = omp_get_thread_num() + 77;
  }
  EXPECT_EQUAL(0, wrong);
  EXPECT_EQUAL(77, order[63]);
  for (int i = 0; i < 8; i++)
    EXPECT_EQUAL(i < threads ? i + 1 : 0, filtered[i]);
  for (int i = 0; i < N; i++)
    EXPECT_EQUAL(4 + (i < threads), hits[i]);
  // Orphaned constructs outside every region.
  orphanedLoop(N);
  EXPECT_EQUAL(4950, orphanedReduction());
  for (int i = 0; i < N; i++)
    EXPECT_EQUAL(5 + (i < threads), hits[i]);
  return checkResult();
}
