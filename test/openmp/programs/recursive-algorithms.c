// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Recursive parallel algorithms: quicksort and merge sort with tasks, a recursive region, a pipeline of
// regions over memory of the stack of callers, mutual recursion with orphaned loops.
#include "check.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { N = 5000 };
static unsigned random_;
static int next(void) {
  random_ = random_ * 1103515245u + 12345u;
  return (int)(random_ >> 8) % 100000;
}
static void quick(int *a, int n) {
  while (n > 1) {
    int pivot = a[n / 2], i = 0, k = n - 1;
    while (i <= k) {
      while (a[i] < pivot)
        i++;
      while (a[k] > pivot)
        k--;
      if (i <= k) {
        int t = a[i];
        a[i++] = a[k];
        a[k--] = t;
      }
    }
#pragma omp task firstprivate(a, k) if (k > 200)
    quick(a, k + 1);
    a += i, n -= i;
  }
}
static void merge(int *a, int *buffer, int n) {
  if (n < 2)
    return;
  int half = n / 2;
#pragma omp task if (n > 400)
  merge(a, buffer, half);
#pragma omp task if (n > 400)
  merge(a + half, buffer + half, n - half);
#pragma omp taskwait
  for (int i = 0, l = 0, r = half; i < n; i++)
    buffer[i] = r >= n || (l < half && a[l] <= a[r]) ? a[l++] : a[r++];
  for (int i = 0; i < n; i++)
    a[i] = buffer[i];
}
static long sumOf(const int *a, int n, int depth) {
  long left = 0, right = 0;
  if (depth == 0) {
#pragma omp parallel for reduction(+ : left)
    for (int i = 0; i < n; i++)
      left += a[i];
    return left;
  }
#pragma omp parallel sections num_threads(2)
  {
    left = sumOf(a, n / 2, depth - 1);
#pragma omp section
    right = sumOf(a + n / 2, n - n / 2, depth - 1);
  }
  return left + right;
}
static void odd(int *a, int n, int rounds);
static void even(int *a, int n, int rounds) {
  if (rounds == 0)
    return;
#pragma omp for
  for (int i = 0; i < n - 1; i += 2)
    if (a[i] > a[i + 1]) {
      int t = a[i];
      a[i] = a[i + 1];
      a[i + 1] = t;
    }
  odd(a, n, rounds - 1);
}
static void odd(int *a, int n, int rounds) {
  if (rounds == 0)
    return;
#pragma omp for
  for (int i = 1; i < n - 1; i += 2)
    if (a[i] > a[i + 1]) {
      int t = a[i];
      a[i] = a[i + 1];
      a[i + 1] = t;
    }
  even(a, n, rounds - 1);
}
static int onCallersStack(int depth, int *previous, int n) {
  int mine[200];
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    mine[i] = (previous ? previous[n - 1 - i] : i) + 1;
  if (depth > 0)
    return onCallersStack(depth - 1, mine, n);
  return mine[0] + mine[n - 1];
}

int main(void) {
  int *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b), *c = malloc(N * sizeof *c), bad = 0;
  long sum = 0;
  for (int i = 0; i < N; i++)
    sum += a[i] = b[i] = next();
#pragma omp parallel
#pragma omp single
  quick(a, N);
#pragma omp parallel
#pragma omp single nowait
  merge(b, c, N);
  for (int i = 1; i < N; i++)
    bad += a[i - 1] > a[i] || a[i] != b[i];
  EXPECT_EQUAL(0, bad);
  EXPECT_EQUAL(sum, sumOf(a, N, 0));
  EXPECT_EQUAL(sum, sumOf(b, N, 3));
  omp_set_max_active_levels(3);
  EXPECT_EQUAL(sum, sumOf(b, N, 2));
  int d[60];
  for (int i = 0; i < 60; i++)
    d[i] = (i * 37) % 60;
#pragma omp parallel
  even(d, 60, 60);
  for (int i = 0; i < 60; i++)
    EXPECT_EQUAL(i, d[i]);
  EXPECT_EQUAL(199 + 2 * 12, onCallersStack(11, NULL, 200));
  free(a);
  free(b);
  free(c);
  return checkResult();
}
