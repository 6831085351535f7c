// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// scan: inclusive and exclusive prefix sums, maxima and products over several lengths, in
// combined constructs.
#include "check.h"
#include <omp.h>
#include <stdlib.h>

enum { N = 777 };
static long in[N], out[N];

int main(void) {
  for (int i = 0; i < N; i++)
    in[i] = (i * 31 + 7) % 101;
  for (int n = 2; n <= N; n += 97) {
    long sum = 0, wanted = 0;
    int bad = 0;
#pragma omp parallel for reduction(inscan, + : sum)
    for (int i = 0; i < n; i++) {
      sum += in[i];
#pragma omp scan inclusive(sum)
      out[i] = sum;
    }
    for (int i = 0; i < n; i++)
      bad += out[i] != (wanted += in[i]);
    EXPECT_EQUAL(0, bad);
    EXPECT_EQUAL(wanted, sum);

    sum = 0, wanted = 0;
#pragma omp parallel for reduction(inscan, + : sum)
    for (int i = 0; i < n; i++) {
      out[i] = sum;
#pragma omp scan exclusive(sum)
      sum += in[i];
    }
    for (int i = 0; i < n; i++)
      bad += out[i] != wanted, wanted += in[i];
    EXPECT_EQUAL(0, bad);
    EXPECT_EQUAL(wanted, sum);
  }
  int highest = 0, bad = 0, count = 0;
  unsigned hash = 1;
#pragma omp parallel for reduction(inscan, max : highest)
    for (int i = 0; i < N; i++) {
      highest = highest > in[i] ? highest : (int)in[i];
#pragma omp scan inclusive(highest)
      out[i] = highest;
    }
#pragma omp parallel for reduction(+ : bad)
    for (int i = 0; i < N; i++) {
      int h = 0;
      for (int k = 0; k <= i; k++)
        h = h > in[k] ? h : (int)in[k];
      bad += out[i] != h;
    }
  EXPECT_EQUAL(0, bad);
  EXPECT_EQUAL(100, highest);
  static unsigned hashes[N];
  static int counts[N];
#pragma omp parallel for reduction(inscan, * : hash) reduction(inscan, + : count)
  for (int i = 0; i < N; i++) {
    hash *= 2 * in[i] + 1;
    count += in[i] % 2;
#pragma omp scan inclusive(hash, count)
    hashes[i] = hash;
    counts[i] = count;
  }
  unsigned h = 1;
  int c = 0;
  for (int i = 0; i < N; i++) {
    h *= 2 * in[i] + 1, c += in[i] % 2;
    bad += hashes[i] != h || counts[i] != c;
  }
  EXPECT_EQUAL(0, bad);
  return checkResult();
}
