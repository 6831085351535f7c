// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %on4 | grep -x ok
// Atomic operations of all sizes on shared variables from all threads; captures are all different;
// release and acquire carry plain data.
#include "check.h"
#include <omp.h>
#include <stdlib.h>

enum { Rounds = 200, Most = 64 * 200 };
static char byte;
static short half;
static int word, tickets[Most], minimum = 1 << 30, maximum;
static long wide;
static float single_;
static double twice;
static int payload[64], ready[64];

int main(void) {
  int threads = omp_get_max_threads(), next = 0, wrong = 0;
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    for (int i = 0; i < Rounds; i++) {
#pragma omp atomic
      byte++;
#pragma omp atomic
      half += 2;
#pragma omp atomic
      word ^= 1 << (i % 31);
#pragma omp atomic
      wide -= 3;
#pragma omp atomic
      single_ += 1;
#pragma omp atomic
      twice += 0.5;
#pragma omp atomic compare
      minimum = me + i < minimum ? me + i : minimum;
#pragma omp atomic compare
      maximum = me + i > maximum ? me + i : maximum;
      int mine;
#pragma omp atomic capture
      mine = next++;
      tickets[mine]++;
    }
    payload[me] = 1000 + me;
#pragma omp atomic write release
    ready[me] = 1;
    int other = (me + 1) % threads, go = 0;
    while (!go) {
#pragma omp atomic read acquire
      go = ready[other];
    }
    if (payload[other] != 1000 + other) {
#pragma omp atomic
      wrong++;
    }
  }
  EXPECT_EQUAL((char)(threads * Rounds), byte);
  EXPECT_EQUAL((short)(2 * threads * Rounds), half);
  int expected = 0;
  for (int i = 0; i < Rounds * threads; i++)
    expected ^= 1 << (i % Rounds % 31);
  EXPECT_EQUAL(expected, word);
  EXPECT_EQUAL(-3L * threads * Rounds, wide);
  EXPECT(single_ == threads * Rounds);
  EXPECT(twice == threads * Rounds * 0.5);
  EXPECT_EQUAL(0, minimum);
  EXPECT_EQUAL(threads - 1 + Rounds - 1, maximum);
  for (int i = 0; i < threads * Rounds; i++)
    EXPECT_EQUAL(1, tickets[i]);
  EXPECT_EQUAL(0, wrong);
  return checkResult();
}
