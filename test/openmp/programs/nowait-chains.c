// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Chains of worksharing constructs with nowait: equal static schedules may use what the same thread
// wrote before; many dynamic loops may be in flight at once, far apart between the threads.
#include "check.h"
#include <omp.h>
#include <stdlib.h>

enum { N = 1000, Chain = 60 };
static double a[N], b[N], c[N];
static int hits[Chain][64];

int main(void) {
  double *heap = malloc(N * sizeof *heap);
  long sum = 0;
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < N; i++)
      a[i] = i;
#pragma omp for schedule(static) nowait
    for (int i = 0; i < N; i++)
      b[i] = 2 * a[i];
#pragma omp for schedule(static) nowait
    for (int i = 0; i < N; i++)
      heap[i] = b[i] + a[i];
#pragma omp single nowait
    c[0] = 5;
#pragma omp for schedule(static) reduction(+ : sum) nowait
    for (int i = 0; i < N; i++)
      sum += (long)heap[i];
#pragma omp barrier
#pragma omp for schedule(static, 17) nowait
    for (int i = 0; i < N; i++)
      a[i] = heap[N - 1 - i] + c[0];
  }
  EXPECT_EQUAL(3l * N * (N - 1) / 2, sum);
  int bad = 0;
  for (int i = 0; i < N; i++)
    bad += a[i] != 3.0 * (N - 1 - i) + 5;
  EXPECT_EQUAL(0, bad);

  // One thread is late for all of them: the others run ahead as far as they can.
#pragma omp parallel
  {
    if (omp_get_thread_num() == omp_get_num_threads() - 1) {
      double until = omp_get_wtime() + 0.02;
      while (omp_get_wtime() < until)
        ;
    }
    for (int l = 0; l < Chain; l++)
      switch (l % 5) {
      case 0:
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 64; i++)
          hits[l][i]++;
        break;
      case 1:
#pragma omp for schedule(guided) nowait
        for (long i = 0; i < 64; i++)
          hits[l][i]++;
        break;
      case 2:
#pragma omp single nowait
        for (int i = 0; i < 64; i++)
          hits[l][i]++;
        break;
      case 3:
#pragma omp sections nowait
      {
#pragma omp section
        for (int i = 0; i < 32; i++)
          hits[l][i]++;
#pragma omp section
        for (int i = 32; i < 64; i++)
          hits[l][i]++;
      } break;
      default:
#pragma omp for schedule(static, 1) nowait
        for (int i = 63; i >= 0; i--)
          hits[l][i]++;
      }
  }
  bad = 0;
  for (int l = 0; l < Chain; l++)
    for (int i = 0; i < 64; i++)
      bad += hits[l][i] != 1;
  EXPECT_EQUAL(0, bad);
  free(heap);
  return checkResult();
}
