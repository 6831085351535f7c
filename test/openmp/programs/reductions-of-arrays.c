// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Reductions of arrays and array sections: small, of run-time length, in two dimensions, of 1 MB on the
// heap, of a part in the middle, several at once.
#include "check.h"
#include <omp.h>
#include <stdlib.h>

enum { Big = 1 << 17 };
static int global[10], matrix[6][7];

static void variable(int n, long *sums, double array[n]) {
  long vla[n];
  for (int i = 0; i < n; i++)
    vla[i] = i;
#pragma omp parallel for reduction(+ : sums[0 : n], vla) reduction(max : array[1 : n - 2])
  for (int i = 0; i < 100; i++)
    for (int k = 0; k < n; k++) {
      sums[k] += i * k;
      vla[k] += 1;
      if (k >= 1 && k < n - 1)
        array[k] = array[k] > i * k ? array[k] : i * k;
    }
  for (int k = 0; k < n; k++) {
    EXPECT_EQUAL(4950 * k + 7, sums[k]);
    EXPECT_EQUAL(100 + k, vla[k]);
    EXPECT(array[k] == (k >= 1 && k < n - 1 ? 99.0 * k : -3));
  }
}

int main(void) {
  int onStack[5] = {1, 2, 3, 4, 5}, threads = 0;
  unsigned char bytes[33] = {0};
#pragma omp parallel reduction(+ : onStack, global[2 : 5], threads) reduction(| : bytes[: 33]) reduction(+ : matrix[1 : 3][: 7])
  {
    threads++;
    for (int i = 0; i < 5; i++)
      onStack[i] += i, global[i + 2] += 2 * i;
    for (int i = 0; i < 33; i++)
      bytes[i] |= 1 << (omp_get_thread_num() + i) % 8;
    int me = omp_get_thread_num(), of = omp_get_num_threads();
    for (int i = me; i < 70; i += of)
      for (int r = 1; r < 4; r++)
        matrix[r][i % 7] += r;
  }
  for (int i = 0; i < 5; i++)
    EXPECT_EQUAL(i + 1 + i * threads, onStack[i]);
  for (int i = 0; i < 10; i++)
    EXPECT_EQUAL(i >= 2 && i < 7 ? 2 * (i - 2) * threads : 0, global[i]);
  for (int i = 0; i < 33; i++) {
    unsigned wanted = 0;
    for (int t = 0; t < threads; t++)
      wanted |= 1 << (t + i) % 8;
    EXPECT_EQUAL(wanted, bytes[i]);
  }
  for (int r = 0; r < 6; r++)
    for (int c = 0; c < 7; c++)
      EXPECT_EQUAL(r >= 1 && r < 4 ? 10 * r : 0, matrix[r][c]);

  long *sums = malloc(50 * sizeof *sums);
  double *array = malloc(50 * sizeof *array);
  for (int i = 0; i < 50; i++)
    sums[i] = 7, array[i] = -3;
  variable(50, sums, array);
  free(sums);
  free(array);

  double *big = calloc(Big, sizeof *big);
  int *lows = malloc(Big / 4 * sizeof *lows);
  for (int i = 0; i < Big / 4; i++)
    lows[i] = 1000;
#pragma omp parallel for reduction(+ : big[0 : Big]) reduction(min : lows[: Big / 4]) num_threads(4)
  for (int i = 0; i < 8; i++) {
    for (int k = i; k < Big; k += 8 - i)
      big[k] += 1 + i;
    for (int k = 0; k < Big / 4; k++)
      lows[k] = lows[k] < (i ^ k) % 512 ? lows[k] : (i ^ k) % 512;
  }
  double *wanted = calloc(Big, sizeof *wanted);
  int bad = 0;
  for (int i = 0; i < 8; i++)
    for (int k = i; k < Big; k += 8 - i)
      wanted[k] += 1 + i;
  for (int k = 0; k < Big; k++)
    bad += big[k] != wanted[k];
  EXPECT_EQUAL(0, bad);
  for (int k = 0; k < Big / 4; k++)
    bad += lows[k] != (k & ~7) % 512;
  EXPECT_EQUAL(0, bad);

  // Worksharing in a region, the list item of which is shared there.
  int counts[64] = {0}, wrong = 0;
#pragma omp parallel reduction(+ : wrong)
  for (int round = 1; round <= 5; round++) {
#pragma omp for reduction(+ : counts) schedule(dynamic, 5)
    for (int i = 0; i < 640; i++)
      counts[i % 64]++;
    for (int i = 0; i < 64; i++)
      wrong += counts[i] != 10 * round;
#pragma omp barrier
  }
  EXPECT_EQUAL(0, wrong);
  free(wanted);
  free(big);
  free(lows);
  return checkResult();
}
