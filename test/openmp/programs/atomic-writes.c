// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %on4 | grep -x ok
// RUN: env OMPDSM_SUMS=0 OMPDSM_KEEP_UPDATED=0 %on3 | grep -x ok
// Atomic writes to memory of other nodes, for which no thread waits: each thread sees its own at once, no
// thread sees one after a later one, additions and writes of one thread to a place keep their order, what
// a release publishes is there before, and neighbours of a place keep their values.
#include "check.h"
#include <omp.h>
#include <stdint.h>

enum { Places = 600, Rounds = 300, Most = 64 };
static long places[Places], mixed[Most], published[Most], plain[Most][8], flags[Most];
static uint8_t bytes[Places];
static uint16_t shorts[Places];
static float floats[Places];

/// Thread 0 counts in places that are at home anywhere; the others see it count upwards.
static int countsUpwards(int me) {
  int wrong = 0;
  if (me == 0) {
    for (long value = 1; value <= Rounds; value++)
      for (int i = 0; i < Places; i += 7) {
        long seen;
#pragma omp atomic write
        places[i] = value;
#pragma omp atomic read
        seen = places[i];
        wrong += seen != value;
      }
    return wrong;
  }
  long latest[Places] = {0};
  for (int i = 0;; i = (i + 7) % (Places / 7 * 7)) {
    long seen;
#pragma omp atomic read
    seen = places[i];
    wrong += seen < latest[i];
    latest[i] = seen;
    if (i == 0 && seen == Rounds)
      return wrong;
  }
}

/// Writes, additions, maxima and exchanges of one thread to one place, which other threads leave alone.
static int keepsOrder(int me, int threads) {
  long *const place = &mixed[(me + threads / 2) % threads];
  long expected = 0;
  int wrong = 0;
  for (int i = 0; i < Rounds; i++) {
    for (int k = 0; k < i % 13; k++) {
#pragma omp atomic
      *place += k;
      expected += k;
    }
    if (i % 3 == 0) {
#pragma omp atomic write
      *place = i;
      expected = i;
    }
    if (i % 5 == 0) {
#pragma omp atomic
      *place -= 2;
      expected -= 2;
    }
    if (i % 11 == 0) {
      long old, next = 1000 + i;
#pragma omp atomic capture
      {
        old = *place;
        *place = next;
      }
      wrong += old != expected;
      expected = next;
    }
    long seen;
#pragma omp atomic read
    seen = *place;
    wrong += seen != expected;
  }
  return wrong;
}

/// Messages around the team, behind flags that are written with a release.
static int publishes(int me, int threads) {
  const int next = (me + 1) % threads;
  int wrong = 0;
  for (long round = 1; round <= 40; round++) {
    published[next] = 10 * round + me;
    for (int k = 0; k < 8; k++)
      plain[next][k] = round * k + me;
#pragma omp atomic write release
    flags[next] = round;
    long seen;
    do {
#pragma omp atomic read acquire
      seen = flags[me];
    } while (seen != round);
    const int before = (me + threads - 1) % threads;
    wrong += published[me] != 10 * round + before;
    for (int k = 0; k < 8; k++)
      wrong += plain[me][k] != round * k + before;
#pragma omp barrier
  }
  return wrong;
}

/// Numbers of all sizes, side by side, by threads of all nodes.
static void writeAll(int me, int threads) {
  for (int round = 0; round < 3; round++)
    for (int i = me; i < Places; i += threads) {
#pragma omp atomic write
      bytes[i] = (uint8_t)(i + round);
#pragma omp atomic write
      shorts[i] = (uint16_t)(3 * i + round);
#pragma omp atomic write
      floats[i] = (float)i + 0.5f * (float)round;
    }
}

int main(void) {
  int wrong = 0;
#pragma omp parallel for
  for (int i = 0; i < Places; i++)
    places[i] = bytes[i] = 0;
#pragma omp parallel reduction(+ : wrong)
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    if (threads > 1)
      wrong += countsUpwards(me);
#pragma omp barrier
    wrong += keepsOrder(me, threads);
#pragma omp barrier
    if (threads > 1)
      wrong += publishes(me, threads);
    writeAll(me, threads);
  }
  EXPECT_EQUAL(0, wrong);
  for (int i = 0; i < Places; i++) {
    EXPECT_EQUAL((uint8_t)(i + 2), bytes[i]);
    EXPECT_EQUAL((uint16_t)(3 * i + 2), shorts[i]);
    EXPECT(floats[i] == (float)i + 1);
  }
  return checkResult();
}
