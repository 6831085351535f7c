// RUN: %build-c
// RUN: env OMP_NUM_THREADS=2 %run -n 2 %t | grep -x ok
// RUN: env OMP_NUM_THREADS=4 %run -n 2 %t | grep -x ok
// RUN: env OMP_NUM_THREADS=3 %run -n 3 --provider tcp %t | grep -x ok
// A thread posts iterations in quick succession, then does nothing but compute until somebody has gone on by them, in the same
// iteration and behind the loop: what another node asks for later has to be released although no thread of its node comes by.
#include "check.h"
#include <omp.h>

enum { Rounds = 40, Length = 600 };
static long values[2 * Length];
static int seen[Rounds + 1];

static int hasSeen(int round) {
  int value;
#pragma omp atomic read
  value = seen[round];
  return value;
}

int main(void) {
  int mistakes = 0;
#pragma omp parallel reduction(+ : mistakes)
  for (int round = 1; round <= Rounds; round++) {
    // The first thread has all of the first half, as there are two threads or more in turns of Length.
#pragma omp for ordered(1) schedule(static, Length) nowait
    for (int i = 0; i < 2 * Length; i++) {
      if (i < Length) {
        values[i] = (long)i * round;
#pragma omp ordered depend(source)
        if (i == Length - 1)
          while (!hasSeen(round))
            ;
      } else if (i == Length) {
        for (int k = Length - 1; k >= 0; k -= 7) {
#pragma omp ordered depend(sink : i - 1)
          mistakes += values[k] != (long)k * round;
        }
#pragma omp atomic write
        seen[round] = 1;
#pragma omp ordered depend(source)
      } else {
#pragma omp ordered depend(source)
      }
    }
#pragma omp barrier
  }
  EXPECT_EQUAL(0, mistakes);
  return checkResult();
}
