// RUN: %build-c -O2
// RUN: %on1 | grep -x ok
// RUN: not %on2 2>&1 | %filecheck %s
// A thread-local variable that a region shares by a pointer: another node has none of it, and says so where it is used.
// CHECK: node 1 {{.*}}the parallel region at {{.*}}thread-local-by-pointer.c:20 shares a thread-local variable of the thread that starts it by a reference or pointer, and OpenMP thread 1 of another node uses it
#include "check.h"
#include <omp.h>

struct Counts {
  long unused, used;
};
static _Thread_local struct Counts counts;

__attribute__((noinline)) static struct Counts *mine(void) { return &counts; }

int main(void) {
  struct Counts *const shared = mine();
  shared->used = 3;
  long sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum += shared->used;
  EXPECT_EQUAL(6, sum);
  return checkResult();
}
