// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Memory of OpenMP's allocators is shared: allocated by one thread, grown by another, freed by a third.
#include "check.h"
#include <omp.h>
#include <stdint.h>

enum { N = 16, Values = 300 };
static int *blocks[N];

int main(void) {
  int wrong = 0;
#pragma omp parallel reduction(+ : wrong)
  {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < N; i++) {
      blocks[i] = i % 2 ? omp_alloc(Values * sizeof(int), omp_large_cap_mem_alloc)
                        : omp_aligned_alloc(128, Values * sizeof(int), omp_default_mem_alloc);
      wrong += i % 2 == 0 && (uintptr_t)blocks[i] % 128 != 0;
      for (int k = 0; k < Values; k++)
        blocks[i][k] = i * 1000 + k;
    }
#pragma omp for schedule(static, 1)
    for (int k = 0; k < N; k++) {
      int i = (k + 1) % N;
      blocks[i] = omp_realloc(blocks[i], 2 * Values * sizeof(int), omp_default_mem_alloc, omp_null_allocator);
      for (int v = 0; v < Values; v++)
        wrong += blocks[i][v] != i * 1000 + v;
    }
#pragma omp for schedule(static, 1)
    for (int k = 0; k < N; k++)
      omp_free(blocks[(k + 2) % N], omp_null_allocator);
    int *zeros = omp_calloc(Values, sizeof(int), omp_thread_mem_alloc);
    for (int v = 0; v < Values; v++)
      wrong += zeros[v] != 0;
    omp_free(zeros, omp_thread_mem_alloc);
    int local[50];
#pragma omp allocate(local) allocator(omp_default_mem_alloc) align(64)
    for (int v = 0; v < 50; v++)
      local[v] = v;
    wrong += local[49] != 49 || (uintptr_t)local % 64 != 0;
  }
  EXPECT_EQUAL(0, wrong);
  return checkResult();
}
