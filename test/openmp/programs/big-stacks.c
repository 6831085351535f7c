// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Big stacks of threads: large locals, alloca, variable-length arrays, deep recursion, setjmp and
// longjmp inside a region, pointers to all of them handed to other threads.
#include "check.h"
#include <alloca.h>
#include <omp.h>
#include <setjmp.h>
#include <string.h>

static char *published[64];
static int *deepest[64];

static int recurse(int depth, int *parent, int me) {
  int frame[20];
  for (int i = 0; i < 20; i++)
    frame[i] = depth + i + (parent ? parent[i] & 1 : 0);
  if (depth == 100) {
    deepest[me] = frame;
    // Everybody is at the bottom, and reads the frame of the next.
#pragma omp barrier
    int sum = 0, *other = deepest[(me + 1) % omp_get_num_threads()];
    for (int i = 0; i < 20; i++)
      sum += other[i] >= 100 + i && other[i] <= 101 + i;
#pragma omp barrier
    return sum;
  }
  int result = recurse(depth + 1, frame, me);
  return frame[19] >= depth ? result : -1;
}

int main(void) {
  int wrong = 0;
#pragma omp parallel reduction(+ : wrong)
  {
    int me = omp_get_thread_num(), n = omp_get_num_threads();
    char large[200000];
    memset(large, me + 1, sizeof large);
    published[me] = large;
#pragma omp barrier
    char *next = published[(me + 1) % n];
    for (int i = 0; i < 200000; i += 997)
      wrong += next[i] != (me + 1) % n + 1;
#pragma omp barrier
    // Each writes a stripe of everybody's.
    for (int t = 0; t < n; t++)
      for (int i = me; i < 2000; i += n)
        published[t][i] = (char)(i + t);
#pragma omp barrier
    for (int i = 0; i < 2000; i++)
      wrong += large[i] != (char)(i + me);
    wrong += large[2000] != me + 1;
#pragma omp barrier
    for (int round = 1; round < 6; round++) {
      char *block = alloca(3000 * round);
      int vla[round * 50];
      for (int i = 0; i < round * 50; i++)
        vla[i] = i * me;
      memset(block, 'a' + me, 3000 * round);
      published[me] = block;
      deepest[me] = vla;
#pragma omp barrier
      int other = (me + n - 1) % n;
      wrong += published[other][2999 * round] != 'a' + other || deepest[other][round * 50 - 1] != (round * 50 - 1) * other;
#pragma omp barrier
    }
    wrong += recurse(0, NULL, me) != 20;
    jmp_buf back;
    volatile int jumps = 0;
    if (setjmp(back) < 5) {
      jumps = jumps + 1;
      longjmp(back, jumps);
    }
    wrong += jumps != 5;
  }
  EXPECT_EQUAL(0, wrong);
  return checkResult();
}
