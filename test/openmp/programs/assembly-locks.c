// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Locks and counters of inline assembly, as libraries have them that are older than C's atomic operations, exclude
// the threads of all nodes.
#include "check.h"
#include <omp.h>
#include <sched.h>

enum { Rounds = 300 };
static volatile unsigned long lock;
static int ticket, serving;
static long sum, tickets, counts[4];

static void acquire(volatile unsigned long *p) {
  unsigned long was;
  do {
    while (*p)
      sched_yield();
    __asm__ __volatile__("xchgq %0, %1\n" : "=r"(was), "=m"(*p) : "0"(1UL), "m"(*p) : "memory");
  } while (was);
}
static int take(int *p) {
  int old = 1;
  __asm__ __volatile__("lock; xaddl %0, %1" : "+r"(old), "+m"(*p) : : "memory", "cc");
  return old;
}

int main(void) {
  const int threads = omp_get_max_threads();
#pragma omp parallel
  for (int round = 0; round < Rounds; round++) {
    acquire(&lock);
    sum++;
    __asm__ __volatile__("" ::: "memory");
    lock = 0;
    __asm__ __volatile__("lock incq %0" : "+m"(counts[round % 4]) : : "memory");
    if (round % 10 == 0) {
      const int mine = take(&ticket);
      while (*(volatile int *)&serving != mine)
        sched_yield();
      tickets++;
      *(volatile int *)&serving = mine + 1;
    }
  }
  EXPECT_EQUAL(Rounds * (long)threads, sum);
  EXPECT_EQUAL(Rounds / 10 * (long)threads, tickets);
  for (int i = 0; i < 4; i++)
    EXPECT_EQUAL(Rounds / 4 * (long)threads, counts[i]);
  return checkResult();
}
