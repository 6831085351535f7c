// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Transformations and selections that the compiler resolves: tile, unroll, reverse, interchange,
// metadirective, declare variant, assume, nothing, error, scope; combined with worksharing.
#include "check.h"
#include <omp.h>

static int matrix[24][30], hits[100];

static int slow(int x) { return x + 1; }
static int fast(int x) { return x + 1000; }
#pragma omp declare variant(fast) match(construct = {parallel})
static int choose(int x) { return slow(x); }

int main(void) {
  int wrong = 0, inParallel = 0;
#pragma omp parallel for
#pragma omp tile sizes(5, 7)
  for (int i = 0; i < 24; i++)
    for (int j = 0; j < 30; j++)
      matrix[i][j] += 1;
#pragma omp parallel for schedule(dynamic)
#pragma omp unroll partial(4)
  for (int i = 0; i < 100; i++)
    hits[i] += 1;
#pragma omp parallel
  {
#pragma omp for collapse(2)
#pragma omp tile sizes(4, 4)
    for (int i = 0; i < 24; i++)
      for (int j = 0; j < 30; j++)
        matrix[i][j] += 2;
#pragma omp for
#pragma omp reverse
    for (int i = 0; i < 100; i++)
      hits[i] += 2;
#pragma omp for
#pragma omp interchange
    for (int i = 0; i < 24; i++)
      for (int j = 0; j < 30; j++)
        matrix[i][j] += 4;
#pragma omp nothing
#pragma omp assume no_openmp
    {
#pragma omp atomic
      hits[0] += 100;
    }
  }
  for (int i = 0; i < 24; i++)
    for (int j = 0; j < 30; j++)
      wrong += matrix[i][j] != 7;
  for (int i = 1; i < 100; i++)
    wrong += hits[i] != 3;
  EXPECT_EQUAL(0, wrong);
  int teamed = 0;
#pragma omp metadirective when(implementation = {vendor(llvm)} : parallel reduction(+ : teamed)) default(single)
  teamed++;
  int threads = 0;
#pragma omp parallel
#pragma omp single
  threads = omp_get_num_threads();
  EXPECT_EQUAL(threads, teamed);
  EXPECT_EQUAL(3 + threads * 100, hits[0]);
#pragma omp parallel reduction(+ : inParallel)
  inParallel += choose(1) >= 2;
  EXPECT_EQUAL(threads, inParallel);
  EXPECT_EQUAL(2, choose(1));
#pragma omp parallel reduction(+ : wrong)
  {
    int mine = 0;
#pragma omp scope private(mine) nowait
    {
      mine = omp_get_thread_num();
      wrong += mine != omp_get_thread_num();
    }
#pragma omp masked
    {
#pragma omp taskyield
    }
    wrong += mine != 0;
#pragma omp scope reduction(+ : inParallel)
    inParallel++;
  }
  EXPECT_EQUAL(0, wrong);
  EXPECT_EQUAL(2 * threads, inParallel);
  return checkResult();
}
