// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: not %on2 2>&1 | %filecheck %s
// CHECK: the parallel region at {{.*}}refused-copyin.c:[[#@LINE+10]] shares a threadprivate or thread-local variable
// CHECK-SAME: run with -n 1
// copyin captures the address of the initial thread's own copy, which means nothing on another node.
#include "check.h"

static int counter;
#pragma omp threadprivate(counter)

int main(void) {
  counter = 7;
#pragma omp parallel copyin(counter)
  EXPECT_EQUAL(7, counter);
  return checkResult();
}
