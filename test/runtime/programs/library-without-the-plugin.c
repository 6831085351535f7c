// A library that was not compiled with the plugin finds on every node what node 0 made: heap of all
// sizes, globals and stacks; and what it writes at its first touch reaches the others.
// RUN: %plain-cc -O2 -fPIC -shared %S/Inputs/foreign.c -o %t.so
// RUN: %cc -O2 -I%S/Inputs %s %t.so -o %t
// RUN: %run -n 3 -t 1 %t | %check %s
// RUN: %run -n 2 -t 2 %t | %check %s
// RUN: %run -n 1 -t 3 %t | %check %s
// Without it the library reads zeros, or, in a small object, runs into a null pointer.
// RUN: env OMPDSM_PAGE_FAULTS=0 %run -n 3 -t 1 %t | %check --check-prefix=OFF %s
// OFF: right: 0
#include "foreign.h"
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT 100000L
static double table[1000]; // A global.
static double *x, *y;

int main(void) {
  const int threads = omp_get_max_threads();
  double local[64]; // On main's stack.
  x = malloc(COUNT * sizeof *x);
  y = malloc(COUNT * sizeof *y);
  for (long i = 0; i < COUNT; ++i)
    x[i] = 1 + i % 3, y[i] = 1;
  for (int i = 0; i < 1000; ++i)
    table[i] = i;
  for (int i = 0; i < 64; ++i)
    local[i] = 2;
  struct item *list = 0;
  for (int i = 0; i < 1000; ++i) {
    struct item *item = malloc(sizeof *item);
    item->next = list;
    item->weight = 2;
    list = item;
  }
  double *const expected = malloc(threads * sizeof *expected);
  int right = 0;
#pragma omp parallel reduction(+ : right)
  {
    const int me = omp_get_thread_num();
    const long begin = COUNT * me / threads, end = COUNT * (me + 1) / threads;
    // What the library touches was never touched here before.
    right += foreign_sum(table, 1000) == 499500 && foreign_sum(local, 64) == 128 &&
             foreign_length(list) == 2000;
    foreign_axpy(2, x + begin, y + begin, end - begin);
    double sum = 0;
    for (long i = begin; i < end; ++i)
      sum += 1 + 2 * (1 + i % 3);
    expected[me] = sum;
  }
  double sum = 0;
  for (int i = 0; i < threads; ++i)
    sum += expected[i];
  for (long i = 0; i < COUNT; ++i)
    sum -= y[i];
  right = right == threads && sum == 0;
  printf("right: %d\n", right);
  // CHECK: right: 1
  return 0;
}
