// RUN: %build-c
// RUN: env OMP_NUM_THREADS=12 %run -n 3 %t | grep -x ok
// RUN: env OMP_NUM_THREADS=12 %run -n 3 %t | grep -x ok
// RUN: env OMP_NUM_THREADS=12 %run -n 3 --provider tcp %t | grep -x ok
// Nodes wait for each other's iterations while other threads of theirs fetch from the stack of node 0.
// A wait that acquired under the mutex of the flags hung in 13 of 20 runs (4 of 10 over tcp): hence several.
#include "check.h"

enum { Rounds = 200, Iterations = 36, Length = 4096, Read = 16 };

static long sumOf(const long *values, int iteration) {
  long sum = 0;
  for (int i = 0; i < Read; i++)
    sum += values[(iteration * 113 + i * (Length / Read)) % Length];
  return sum;
}

int main(void) {
  long values[Length];
  static long sums[Iterations + 1];
  for (int round = 1; round <= Rounds; round++) {
    for (int i = 0; i < Length; i++)
      values[i] = i * (long)round;
#pragma omp parallel for ordered(1) schedule(static, 1)
    for (int i = 1; i <= Iterations; i++) {
      const long sum = sumOf(values, i);
#pragma omp ordered depend(sink : i - 1)
      sums[i] = sums[i - 1] + sum;
#pragma omp ordered depend(source)
    }
    for (int i = 1; i <= Iterations; i++)
      EXPECT_EQUAL(sums[i - 1] + sumOf(values, i), sums[i]);
  }
  return checkResult();
}
