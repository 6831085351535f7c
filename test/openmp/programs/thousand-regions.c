// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Many small regions of every kind one after another, through function pointers, with changing team
// sizes and a little serial code between.
#include "check.h"
#include <omp.h>

enum { Regions = 1000 };
static int values[64], total, serial;

static void increment(int n) {
#pragma omp parallel num_threads(n)
  values[omp_get_thread_num()]++;
}
static void sum(int n) {
  int s = 0;
#pragma omp parallel for num_threads(n) reduction(+ : s)
  for (int i = 0; i < 10; i++)
    s += i;
  total += s;
}
static void criticals(int n) {
#pragma omp parallel num_threads(n)
#pragma omp critical
  values[0]++;
}
static void sections(int n) {
#pragma omp parallel sections num_threads(n)
  {
    values[1]++;
#pragma omp section
    values[2]++;
  }
}
static void tasks(int n) {
#pragma omp parallel num_threads(n)
#pragma omp single
#pragma omp task
  values[3]++;
}

int main(void) {
  void (*const functions[])(int) = {increment, sum, criticals, sections, tasks};
  int wanted[64] = {0}, wantedTotal = 0;
  for (int r = 0; r < Regions; r++) {
    int n = r % 7 % 4 + 1, kind = r % 5;
    functions[kind](n);
    serial += values[0];
    switch (kind) {
    case 0:
      for (int i = 0; i < n; i++)
        wanted[i]++;
      break;
    case 1:
      wantedTotal += 45;
      break;
    case 2:
      wanted[0] += n;
      break;
    case 3:
      wanted[1]++, wanted[2]++;
      break;
    default:
      wanted[3]++;
    }
    if (values[0] != wanted[0])
      break;
  }
  for (int i = 0; i < 64; i++)
    EXPECT_EQUAL(wanted[i], values[i]);
  EXPECT_EQUAL(wantedTotal, total);
  EXPECT(serial > 0);
  return checkResult();
}
