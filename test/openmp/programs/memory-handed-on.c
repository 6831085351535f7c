// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Memory that threads hand on: allocated in one region, grown in another, freed in a third by others;
// omp_alloc and its companions, the allocate directive and clause.
#include "check.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { N = 120 };
static int *blocks[N];

int main(void) {
  int wrong = 0;
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < N; i++) {
    blocks[i] = malloc((i + 1) * sizeof(int));
    for (int k = 0; k <= i; k++)
      blocks[i][k] = i + k;
  }
#pragma omp parallel for schedule(dynamic, 2) reduction(+ : wrong)
  for (int i = 0; i < N; i++) {
    blocks[i] = realloc(blocks[i], (2 * i + 50) * sizeof(int));
    for (int k = 0; k <= i; k++)
      wrong += blocks[i][k] != i + k;
    memset(blocks[i], 0x11, (2 * i + 50) * sizeof(int));
  }
  for (int i = 0; i < N; i += 3) {
    wrong += blocks[i][2 * i + 49] != 0x11111111;
    free(blocks[i]);
    blocks[i] = calloc(5, sizeof(int));
  }
#pragma omp parallel for schedule(static) reduction(+ : wrong)
  for (int i = N - 1; i >= 0; i--) {
    wrong += blocks[i][0] != (i % 3 ? 0x11111111 : 0);
    free(blocks[i]);
    blocks[i] = NULL;
  }
  EXPECT_EQUAL(0, wrong);

#pragma omp parallel reduction(+ : wrong)
  {
    // Memory of one thread.
    int *mine = omp_alloc(100 * sizeof *mine, omp_thread_mem_alloc);
    for (int i = 0; i < 100; i++)
      mine[i] = i + omp_get_thread_num();
    mine = omp_realloc(mine, 300 * sizeof *mine, omp_thread_mem_alloc, omp_thread_mem_alloc);
    for (int i = 0; i < 100; i++)
      wrong += mine[i] != i + omp_get_thread_num();
    omp_free(mine, omp_thread_mem_alloc);
  }
  EXPECT_EQUAL(0, wrong);

  int x = 5, array[50] = {0};
  double sum = 0;
#pragma omp parallel allocate(omp_default_mem_alloc : x, array) firstprivate(x, array) reduction(+ : wrong)
  {
    x += omp_get_thread_num();
    array[49] = x;
#pragma omp barrier
    wrong += x != 5 + omp_get_thread_num() || array[49] != x || array[0] != 0;
  }
#pragma omp parallel for reduction(+ : sum) allocate(allocator(omp_default_mem_alloc) : sum)
  for (int i = 0; i < 100; i++)
    sum += i;
  EXPECT(sum == 4950);
  EXPECT_EQUAL(0, wrong);
  int allocated[20];
#pragma omp allocate(allocated) allocator(omp_default_mem_alloc)
#pragma omp parallel for
  for (int i = 0; i < 20; i++)
    allocated[i] = i;
  for (int i = 0; i < 20; i++)
    EXPECT_EQUAL(i, allocated[i]);
  return checkResult();
}
