// RUN: %build-c -fnoopenmp-use-tls
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// threadprivate by __kmpc_threadprivate_cached: each thread has a copy with the values of the program's
// start, that lasts from region to region; the initial thread has the original; copyin; addresses of
// copies mean the same to all threads.
#include "check.h"
#include <omp.h>

struct Pair {
  int a;
  double b[4];
};
static int scalar = 3, array[70] = {1, 2, 3};
static struct Pair pair = {4, {1, 2, 3, 4}};
static int untouched;
#pragma omp threadprivate(scalar, array, pair, untouched)

static int *addresses[64];

static int counted(void) {
  static int calls = 10;
#pragma omp threadprivate(calls)
  return ++calls;
}

int main(void) {
  const int threads = omp_get_max_threads();
  // The initial thread's; others begin with the values above all the same.
  scalar = 100;
  array[2] = 50;
  pair.b[3] = 7;
  counted();
  int wrong = 0;
#pragma omp parallel reduction(+ : wrong)
  {
    const int me = omp_get_thread_num();
    wrong += scalar != (me ? 3 : 100) || array[2] != (me ? 3 : 50) || array[69] != 0 ||
             pair.b[3] != (me ? 4 : 7) || pair.a != 4 || untouched != 0;
    wrong += counted() != (me ? 11 : 12);
    scalar = me;
    untouched += me;
    array[69] = 2 * me;
    addresses[me] = &scalar;
#pragma omp barrier
    // The neighbour's copy, by its address.
    wrong += *addresses[(me + 1) % threads] != (me + 1) % threads;
#pragma omp barrier
  }
  EXPECT_EQUAL(0, wrong);
#pragma omp parallel reduction(+ : wrong)
  {
    const int me = omp_get_thread_num();
    wrong += scalar != me || untouched != me || array[69] != 2 * me;
    wrong += counted() != (me ? 12 : 13);
  }
  EXPECT_EQUAL(0, wrong);
  EXPECT_EQUAL(0, scalar);
  scalar = 77;
  pair.a = 78;
  array[5] = 79;
#pragma omp parallel copyin(scalar, pair, array) reduction(+ : wrong)
  {
    wrong += scalar != 77 || pair.a != 78 || array[5] != 79;
    scalar += omp_get_thread_num();
  }
  EXPECT_EQUAL(0, wrong);
#pragma omp parallel reduction(+ : wrong)
  {
    wrong += scalar != 77 + omp_get_thread_num();
#pragma omp single copyprivate(scalar)
    scalar = 5;
    wrong += scalar != 5;
  }
  EXPECT_EQUAL(0, wrong);
  return checkResult();
}
