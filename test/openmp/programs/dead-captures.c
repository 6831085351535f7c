// RUN: %build-c -O2
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// A region captures a pointer that nobody uses in this run, and that has no value: what is left in its register may be
// the address of a thread-local variable.
#include "check.h"
#include <errno.h>

// Stands for a variable without a value.
__attribute__((noinline)) static int *leftOver(void) { return &errno; }

__attribute__((noinline)) static long work(int n, int *given) {
  int *extra = n > 100 ? given : leftOver();
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 1000; i++) {
    if (n > 100)
      sum += extra[i % 10];
    sum += i;
  }
  return sum;
}

int main(int argc, char **argv) {
  (void)argv;
  EXPECT_EQUAL(499500, work(argc, 0));
  return checkResult();
}
