// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// taskloop: simd, collapse, grainsize and num_tasks with strict, reductions and in_reduction, nogroup,
// lastprivate, conditions; by one thread, by all, orphaned and nested.
#include "check.h"
#include <omp.h>

enum { N = 400 };
static int hits[N], wrong;
static double values[N];

static long orphaned(long n) {
  long sum = 0;
#pragma omp taskloop reduction(+ : sum) grainsize(9)
  for (long i = 0; i < n; i++)
    sum += i;
  return sum;
}

int main(void) {
  int last = 0, threads = 0;
  long sum = 0, product = 1, total = 0;
#pragma omp parallel
  {
#pragma omp single
    {
      threads = omp_get_num_threads();
#pragma omp taskloop simd num_tasks(7)
      for (int i = 0; i < N; i++)
        values[i] = i * .5;
#pragma omp taskloop simd collapse(2) reduction(+ : sum) shared(hits)
      for (int i = 0; i < N / 20; i++)
        for (int k = 0; k < 20; k++) {
          hits[20 * i + k]++;
          sum += (long)values[20 * i + k];
        }
#pragma omp taskloop grainsize(strict : 30) lastprivate(last)
      for (int i = N - 1; i >= 0; i -= 3) {
        hits[i]++;
        last = i;
      }
#pragma omp taskloop num_tasks(strict : 5) if (0)
      for (unsigned long i = 0; i < N; i++)
        hits[i]++;
#pragma omp taskgroup
      {
#pragma omp taskloop nogroup
        for (int i = 0; i < N; i++)
          hits[i] += 10;
      }
      if (hits[0] / 10 != 1)
        wrong++;
#pragma omp taskgroup task_reduction(* : product)
      {
#pragma omp taskloop in_reduction(* : product)
        for (int i = 0; i < 6; i++)
          product *= i + 1;
#pragma omp task in_reduction(* : product)
        product *= 7;
      }
    }
    // All threads, each its own loop over its own part.
    int me = omp_get_thread_num();
    long mine = orphaned(100 + me);
    if (mine != (100 + me) * (99 + me) / 2) {
#pragma omp atomic
      wrong++;
    }
#pragma omp atomic
    total += mine;
  }
  int bad = 0;
  for (int i = 0; i < N; i++)
    bad += hits[i] != 12 + ((N - 1 - i) % 3 == 0);
  EXPECT_EQUAL(0, bad);
  EXPECT_EQUAL((N - 1) % 3, last);
  long wanted = 0;
  for (int i = 0; i < N; i++)
    wanted += i / 2;
  EXPECT_EQUAL(wanted, sum);
  EXPECT_EQUAL(5040, product);
  wanted = 0;
  for (int t = 0; t < threads; t++)
    wanted += (100 + t) * (99 + t) / 2;
  EXPECT_EQUAL(wanted, total);
  EXPECT_EQUAL(0, wrong);
  sum = 0;
#pragma omp parallel masked taskloop reduction(+ : sum)
  for (int i = 0; i < N; i++)
    sum += i;
  EXPECT_EQUAL(N * (N - 1) / 2, sum);
  sum = 0;
#pragma omp parallel master taskloop simd reduction(+ : sum)
  for (int i = 0; i < N; i++)
    sum += i;
  EXPECT_EQUAL(N * (N - 1) / 2, sum);
  EXPECT_EQUAL(4950, orphaned(100));
  // Loops in tasks of loops.
  static int cube[8][8][8];
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < 8; i++) {
#pragma omp taskloop grainsize(2)
    for (int j = 0; j < 8; j++) {
#pragma omp taskloop nogroup
      for (int k = 0; k < 8; k++)
        cube[i][j][k] += 64 * i + 8 * j + k;
    }
  }
  for (int i = 0; i < 512; i++)
    bad += cube[i / 64][i / 8 % 8][i % 8] != i;
  EXPECT_EQUAL(0, bad);
  return checkResult();
}
