// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Threads that wait for each other by atomics and flush only: chains of flags, a ring, a barrier of
// their own, a sequence lock, and store buffering.
#include "check.h"
#include <omp.h>
#include <stdlib.h>

enum { Laps = 15 };
static int flags[64], data[64], token, arrived, generation;
static long ring;

static void myBarrier(int threads) {
  int mine, before;
#pragma omp atomic read acquire
  mine = generation;
#pragma omp atomic capture acq_rel
  before = arrived++;
  if (before == threads - 1) {
#pragma omp atomic write relaxed
    arrived = 0;
#pragma omp atomic write release
    generation = mine + 1;
  } else {
    int now;
    do {
#pragma omp atomic read acquire
      now = generation;
    } while (now == mine);
  }
}

int main(void) {
  int wrong = 0, threads = 0;
  int *heap = calloc(64, sizeof *heap);
  int sequence = 0, first = 0, second = 0, torn = 0;
#pragma omp parallel reduction(+ : wrong)
  {
#pragma omp single
    threads = omp_get_num_threads();
    int me = omp_get_thread_num(), n = omp_get_num_threads(), ready;
    // A chain: each waits for the one before it, and sees its data.
    if (me > 0)
      do {
#pragma omp atomic read seq_cst
        ready = flags[me - 1];
      } while (!ready);
    data[me] = (me ? data[me - 1] : 0) + me;
    heap[me] = (me ? heap[me - 1] : 0) + 1;
#pragma omp atomic write seq_cst
    flags[me] = 1;

    // The same with explicit flushes.
#pragma omp barrier
    if (me > 0)
      do {
#pragma omp flush
#pragma omp atomic read
        ready = flags[me - 1];
#pragma omp flush
      } while (ready != 2);
    data[me] += me ? data[me - 1] : 0;
#pragma omp flush
#pragma omp atomic write
    flags[me] = 2;
#pragma omp flush
#pragma omp barrier

    // A token goes round.
    for (int lap = 0; lap < Laps; lap++) {
      int now;
      do {
#pragma omp atomic read acquire
        now = token;
      } while (now != lap * n + me);
      ring = ring * 2 % 1000003 + me;
#pragma omp atomic update release
      token++;
    }
    // A barrier made of atomics.
#pragma omp barrier
    for (int lap = 0; lap < Laps; lap++) {
      heap[me] = lap * 100 + me;
      myBarrier(n);
      for (int i = 0; i < n; i++)
        wrong += heap[i] != lap * 100 + i;
      myBarrier(n);
    }
    // A sequence lock: one writer, atomic data.
#pragma omp barrier
    if (me == 0) {
      for (int i = 1; i <= 30; i++) {
#pragma omp atomic write seq_cst
        sequence = 2 * i - 1;
#pragma omp atomic write seq_cst
        first = i;
#pragma omp atomic write seq_cst
        second = -i;
#pragma omp atomic write seq_cst
        sequence = 2 * i;
      }
    } else {
      int before, after, x, y;
      do {
#pragma omp atomic read seq_cst
        before = sequence;
#pragma omp atomic read seq_cst
        x = first;
#pragma omp atomic read seq_cst
        y = second;
#pragma omp atomic read seq_cst
        after = sequence;
        if (before == after && before % 2 == 0 && (x != -y || x != before / 2)) {
#pragma omp atomic
          torn++;
        }
      } while (after < 60);
    }
  }
  EXPECT_EQUAL(0, wrong);
  EXPECT_EQUAL(0, torn);
  long sum = 0, wantedRing = 0;
  for (int i = 0; i < threads; i++) {
    int d = 0;
    for (int k = 0; k <= i; k++)
      d += k * (k + 1) / 2;
    EXPECT_EQUAL(d, data[i]);
    sum += i;
  }
  for (int lap = 0; lap < Laps; lap++)
    for (int i = 0; i < threads; i++)
      wantedRing = wantedRing * 2 % 1000003 + i;
  EXPECT_EQUAL(wantedRing, ring);
  free(heap);

  // Store buffering: two threads never both see the other's flag unset.
  int x = 0, y = 0, both = 0, rounds = 0, sawX = 0, sawY = 0;
  for (int i = 0; i < 20; i++) {
    x = y = 0;
    sawX = sawY = -1;
#pragma omp parallel num_threads(2)
    {
      int seen;
      if (omp_get_num_threads() < 2) {
        sawX = 1;
      } else if (omp_get_thread_num() == 0) {
#pragma omp atomic write seq_cst
        x = 1;
#pragma omp atomic read seq_cst
        seen = y;
        sawY = seen;
      } else {
#pragma omp atomic write seq_cst
        y = 1;
#pragma omp atomic read seq_cst
        seen = x;
        sawX = seen;
      }
    }
    both += sawX == 0 && sawY == 0;
    rounds++;
  }
  EXPECT_EQUAL(0, both);
  EXPECT_EQUAL(20, rounds);
  return checkResult();
}
