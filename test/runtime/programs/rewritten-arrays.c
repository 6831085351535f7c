// Arrays that each thread overwrites in its part, with what was there or not, and that others read in whole or in part,
// in every round: parts that end inside of blocks, threads of one node in the same block, a lock between, the values that
// were there before.
// RUN: %cc -O2 %s -o %t
// RUN: %run -n 2 -t 1 %t | %check %s
// RUN: %run -n 3 -t 2 %t | %check %s
// RUN: env OMPDSM_OVERWRITE=0 %run -n 3 -t 2 %t | %check %s
// RUN: env OMPDSM_PUSH=0 OMPDSM_MIGRATE=0 %run -n 3 -t 2 %t | %check %s
// RUN: env OMPDSM_BLOCK_LARGE=64 %run -n 2 -t 2 %t | %check %s
// RUN: %run -n 2 -t 2 --provider tcp %t | %check %s
// CHECK: right
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 20011, Rounds = 12 };

static long wrong;

static long valueOf(long i, long round) { return i * 7 + round * 3; }

int main(void) {
  long *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b), shared = 0, done = 0, threads = 0;
#pragma omp parallel
  {
    const long t = omp_get_thread_num(), team = omp_get_num_threads();
#pragma omp single
    threads = team;
    const long begin = N * t / team, end = N * (t + 1) / team;
    long missed = 0;
    for (long i = begin; i < end; i++)
      a[i] = valueOf(i, 0);
    for (long round = 1; round <= Rounds; round++) {
      for (long i = begin; i < end; i++)
        a[i] = a[i] + 3; // read and written
#pragma omp barrier
      for (long i = begin; i < end; i++)
        b[i] = a[N - 1 - i]; // gathered from others
#pragma omp critical
      shared += round;
#pragma omp barrier
      const long from = N * ((t + 1) % team) / team, until = N * ((t + 1) % team + 1) / team;
      for (long i = from; i < until; i++)
        missed += b[i] != valueOf(N - 1 - i, round) || a[i] != valueOf(i, round);
#pragma omp barrier
      for (long i = begin; i < end; i++)
        b[i] = round; // the same everywhere
      if (round % 3 == 0) {
#pragma omp critical
        done += t;
      }
#pragma omp barrier
      for (long i = 0; i < N; i += 97)
        missed += b[i] != round;
#pragma omp barrier
    }
#pragma omp atomic
    wrong += missed;
  }
  wrong += shared != threads * (Rounds * (Rounds + 1) / 2);
  wrong += done != Rounds / 3 * threads * (threads - 1) / 2;
  for (long i = 0; i < N; i++)
    wrong += a[i] != valueOf(i, Rounds);
  printf(wrong ? "%ld wrong\n" : "right\n", wrong);
  free(a);
  free(b);
  return 0;
}
