// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: not %on2 2>&1 | %filecheck %s
// CHECK: '#pragma omp task' at {{.*}}refused-task.c:[[#@LINE+14]] is not supported on more than one node yet
// CHECK-SAME: run with -n 1
// A task inside a region that spans nodes ends the job with a message; elsewhere tasks work.
#include "check.h"
#include <omp.h>

int main(void) {
  int value = 0;
#pragma omp task shared(value)
  value = 1;
#pragma omp taskwait
  EXPECT_EQUAL(1, value);
#pragma omp parallel
#pragma omp single
#pragma omp task
  value = 2;
  EXPECT_EQUAL(2, value);
  return checkResult();
}
