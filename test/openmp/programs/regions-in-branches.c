// RUN: %build-c -g0
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// Regions and tasks that several branches start: the optimiser makes one call of them, which gets the one function or
// the other, by a phi or from a table, where no names of places tell them apart (-g0).
#include "check.h"
#include <stdlib.h>

enum { Count = 300 };

static void branches(int *a, int k) {
  if (k & 1) {
#pragma omp parallel for
    for (int j = 0; j < Count; j++)
      a[j] += k;
  } else {
#pragma omp parallel for
    for (int j = 0; j < Count; j++)
      a[j] -= k;
  }
}

static void cases(int *a, int k) {
  switch (k % 4) {
  case 0:
#pragma omp parallel for
    for (int j = 0; j < Count; j++)
      a[j] += 1;
    break;
  case 1:
#pragma omp parallel for
    for (int j = 0; j < Count; j++)
      a[j] *= 2;
    break;
  case 2:
#pragma omp parallel for
    for (int j = 0; j < Count; j++)
      a[j] -= 3;
    break;
  default:
#pragma omp parallel for
    for (int j = 0; j < Count; j++)
      a[j] ^= 5;
  }
}

static void tasks(int *a, int k) {
#pragma omp parallel
#pragma omp single
  for (int part = 0; part < 4; part++) {
    int *begin = a + part * (Count / 4);
    if (k & 1) {
#pragma omp task
      for (int j = 0; j < Count / 4; j++)
        begin[j] += 7;
    } else {
#pragma omp task
      for (int j = 0; j < Count / 4; j++)
        begin[j] -= 9;
    }
  }
}

static int expected(int value) {
  for (int k = 0; k < 8; k++) {
    value += k & 1 ? k : -k;
    value = k % 4 == 0 ? value + 1 : k % 4 == 1 ? value * 2 : k % 4 == 2 ? value - 3 : value ^ 5;
    value += k & 1 ? 7 : -9;
  }
  return value;
}

int main(int argc, char **argv) {
  (void)argv;
  int *a = malloc(Count * sizeof *a);
  for (int j = 0; j < Count; j++)
    a[j] = j;
  for (int k = 0; k < 8 * argc; k++) {
    branches(a, k);
    cases(a, k);
    tasks(a, k);
  }
  for (int j = 0; j < Count; j++)
    EXPECT_EQUAL(expected(j), a[j]);
  free(a);
  return checkResult();
}
