// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Loops over ranges of nearly 2^64 with huge steps, in 32 and 64 bits, signed and unsigned.
#include "check.h"
#include <limits.h>
#include <omp.h>

static unsigned long sums[8];
static int counts[8];

int main(void) {
  unsigned long step = 1ul << 57, expectedSum = 0;
  int expected = 0;
  for (unsigned long i = 3;; i += step) {
    expected++, expectedSum += i;
    if (ULONG_MAX / 4 * 3 - i <= step)
      break;
  }
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (unsigned long i = 3; i < ULONG_MAX / 4 * 3; i += 1ul << 57) {
#pragma omp atomic
      counts[0]++;
#pragma omp atomic
      sums[0] += i;
    }
#pragma omp for schedule(static, 4) nowait
    for (unsigned long i = 3; i < ULONG_MAX / 4 * 3; i += 1ul << 57) {
#pragma omp atomic
      counts[1]++;
#pragma omp atomic
      sums[1] += i;
    }
#pragma omp for schedule(dynamic, 3) nowait
    for (unsigned long i = 3; i < ULONG_MAX / 4 * 3; i += 1ul << 57) {
#pragma omp atomic
      counts[2]++;
#pragma omp atomic
      sums[2] += i;
    }
#pragma omp for schedule(guided) nowait
    for (unsigned long i = 3; i < ULONG_MAX / 4 * 3; i += 1ul << 57) {
#pragma omp atomic
      counts[3]++;
#pragma omp atomic
      sums[3] += i;
    }
  }
  for (int i = 0; i < 4; i++) {
    EXPECT_EQUAL(expected, counts[i]);
    EXPECT(sums[i] == expectedSum);
  }

  long signedSum = 0, wanted = 0;
  int n = 0, wantedN = 0;
  for (int i = -2000000000; i < 2000000000; i += 100000007) {
    wanted += i, wantedN++;
    if (i > 2000000000 - 100000007)
      break;
  }
#pragma omp parallel for schedule(static, 2) reduction(+ : signedSum, n)
  for (int i = -2000000000; i < 2000000000; i += 100000007)
    signedSum += i, n++;
  EXPECT_EQUAL(wanted, signedSum);
  EXPECT_EQUAL(wantedN, n);
  signedSum = n = 0;
#pragma omp parallel for schedule(dynamic, 2) reduction(+ : signedSum, n)
  for (int i = -2000000000; i < 2000000000; i += 100000007)
    signedSum += i, n++;
  EXPECT_EQUAL(wanted, signedSum);
  EXPECT_EQUAL(wantedN, n);

  // A 64-bit range of more than 2^32 iterations, of which each thread takes few in its chunk.
  long big = 0;
#pragma omp parallel reduction(+ : big)
  {
#pragma omp for schedule(static)
    for (long i = 0; i < 20; i++)
      big += i << 40;
  }
  EXPECT_EQUAL(190l << 40, big);

  // Empty loops, with bounds that are far apart the wrong way.
  int executed = 0;
#pragma omp parallel reduction(+ : executed)
  {
#pragma omp for schedule(static) nowait
    for (int i = INT_MAX; i < INT_MIN; i++)
      executed++;
#pragma omp for schedule(dynamic) nowait
    for (long i = LONG_MAX; i < LONG_MIN; i++)
      executed++;
#pragma omp for schedule(guided) nowait
    for (unsigned long i = ULONG_MAX; i < 1; i++)
      executed++;
#pragma omp for schedule(runtime)
    for (unsigned i = 0; i > UINT_MAX; i--)
      executed++;
#pragma omp for collapse(2)
    for (int i = 0; i < 10; i++)
      for (int j = 0; j < 0; j++)
        executed++;
  }
  EXPECT_EQUAL(0, executed);
  return checkResult();
}
