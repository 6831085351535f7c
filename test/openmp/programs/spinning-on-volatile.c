// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Threads that wait for each other by volatile variables, as programs did before there were atomic ones: a
// ball that goes round, a barrier of counters, rows that are ready one after the other.
#include "check.h"
#include <omp.h>
#include <sched.h>
#include <stdlib.h>

enum { Rounds = 60, Rows = 40, Columns = 300 };
static volatile int turn;
static int touched;
static volatile char ready[Rows];
static double rows[Rows][Columns];

/// Thread t stores only to its own counter.
static void meet(volatile long *arrived, int threads, int me) {
  const long now = ++arrived[8 * me];
  for (int other = 0; other < threads; other++)
    while (arrived[8 * other] < now)
      sched_yield();
}

int main(void) {
  const int threads = omp_get_max_threads();
  volatile long *arrived = calloc(8 * (size_t)threads, sizeof *arrived);
  double *values = calloc((size_t)threads, sizeof *values);
  int failures = 0;
#pragma omp parallel reduction(+ : failures)
  {
    const int me = omp_get_thread_num();
    for (int round = 0; round < Rounds; round++) {
      while (turn != round * threads + me)
        sched_yield();
      failures += touched != round * threads + me;
      touched++;
      turn = touched;
    }
    for (int round = 1; round <= Rounds; round++) {
      values[me] = round + me;
      meet(arrived, threads, me);
      const int next = (me + 1) % threads;
      failures += values[next] != round + next;
      meet(arrived, threads, me);
    }
    if (me == 0)
      for (int row = 0; row < Rows; row++) {
        for (int i = 0; i < Columns; i++)
          rows[row][i] = row + i;
        ready[row] = 1;
      }
    else
      for (int row = 0; row < Rows; row++) {
        while (!ready[row])
          sched_yield();
        double sum = 0;
        for (int i = 0; i < Columns; i++)
          sum += rows[row][i];
        failures += sum != Columns * (double)row + Columns * (Columns - 1) / 2;
      }
  }
  EXPECT_EQUAL(0, failures);
  EXPECT_EQUAL(Rounds * threads, touched);
  return checkResult();
}
