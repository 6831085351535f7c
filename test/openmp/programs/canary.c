// RUN: %build-c
// RUN: not %on2 2>&1 | %filecheck %s
// The suite can fail: a wrong expectation gives a message and the exit code 1, and no "ok".
// CHECK-NOT: ok
// CHECK: canary.c:[[#@LINE+8]]: sum is 6, expected 7
#include "check.h"
#include <omp.h>

int main(void) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 4; i++) sum += i;
  EXPECT_EQUAL(7, sum);
  return checkResult();
}
