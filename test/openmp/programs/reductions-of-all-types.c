// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Predefined reductions on every type: sums, products, minima, maxima, logical and bitwise operators,
// also with a huge number of list items in one clause and with what the original held before.
#include "check.h"
#include <limits.h>
#include <omp.h>
#include <stdbool.h>

#define INTEGERS(TYPE, NAME)                                                                       \
  static int NAME(int n) {                                                                         \
    TYPE sum = 3, minus = 5, product = 1, low = 100, high = 2, and = (TYPE)~0, or = 0, xor = 9;     \
    TYPE all = 1, any = 0, none = 0, notAll = 1;                                                   \
    _Pragma("omp parallel for reduction(+ : sum, minus) reduction(* : product) reduction(min : low) reduction(max : high) reduction(& : and) reduction(| : or) reduction(^ : xor) reduction(&& : all, notAll) reduction(|| : any, none)") \
    for (int i = 0; i < n; i++) {                                                                  \
      TYPE x = (TYPE)(i * 13 % 89);                                                                \
      sum += x, minus -= x;                                                                        \
      if (i < 5)                                                                                   \
        product *= (TYPE)(i + 1);                                                                  \
      low = x < low ? x : low, high = x > high ? x : high;                                         \
      and &= (TYPE)(x | 0x40), or |= x, xor ^= x;                                                  \
      all = all && x < 89, any = any || x == 44, none = none || x > 90, notAll = notAll && x != 7; \
    }                                                                                              \
    TYPE s = 3, m = 5, a = (TYPE)~0, o = 0, e = 9;                                                 \
    for (int i = 0; i < n; i++) {                                                                  \
      TYPE x = (TYPE)(i * 13 % 89);                                                                \
      s += x, m -= x, a &= (TYPE)(x | 0x40), o |= x, e ^= x;                                       \
    }                                                                                              \
    return (sum != s) | (minus != m) << 1 | (product != (TYPE)120) << 2 | (low != 0) << 3 |        \
           (high != 88) << 4 | (and != a) << 5 | (or != o) << 6 | (xor != e) << 7 | (all != 1) << 8 | \
           (any != 1) << 9 | (none != 0) << 10 | (notAll != 0) << 11;                              \
  }
INTEGERS(signed char, signedChar)
INTEGERS(unsigned char, unsignedChar)
INTEGERS(short, shorts)
INTEGERS(unsigned short, unsignedShorts)
INTEGERS(int, ints)
INTEGERS(unsigned, unsigneds)
INTEGERS(long, longs)
INTEGERS(unsigned long, unsignedLongs)
INTEGERS(long long, longLongs)
INTEGERS(__int128, int128s)

#define FLOATS(TYPE, NAME)                                                                         \
  static int NAME(int n) {                                                                         \
    TYPE sum = (TYPE).5, product = 2, low = 1e6, high = -1e6;                                      \
    _Pragma("omp parallel for reduction(+ : sum) reduction(* : product) reduction(min : low) reduction(max : high) schedule(dynamic, 7)") \
    for (int i = 0; i < n; i++) {                                                                  \
      TYPE x = (TYPE)(i * 13 % 89 - 44) / 4;                                                       \
      sum += x;                                                                                    \
      if (i % 50 == 0)                                                                             \
        product *= i % 100 ? 2 : (TYPE)-.5;                                                        \
      low = x < low ? x : low, high = x > high ? x : high;                                         \
    }                                                                                              \
    TYPE s = (TYPE).5, p = 2;                                                                      \
    for (int i = 0; i < n; i++) {                                                                  \
      s += (TYPE)(i * 13 % 89 - 44) / 4;                                                           \
      if (i % 50 == 0)                                                                             \
        p *= i % 100 ? 2 : (TYPE)-.5;                                                              \
    }                                                                                              \
    return (sum != s) | (product != p) << 1 | (low != -11) << 2 | (high != 11) << 3;               \
  }
FLOATS(float, floats)
FLOATS(double, doubles)
FLOATS(long double, longDoubles)

int main(void) {
  EXPECT_EQUAL(0, signedChar(400));
  EXPECT_EQUAL(0, unsignedChar(400));
  EXPECT_EQUAL(0, shorts(400));
  EXPECT_EQUAL(0, unsignedShorts(400));
  EXPECT_EQUAL(0, ints(400));
  EXPECT_EQUAL(0, unsigneds(400));
  EXPECT_EQUAL(0, longs(400));
  EXPECT_EQUAL(0, unsignedLongs(400));
  EXPECT_EQUAL(0, longLongs(400));
  EXPECT_EQUAL(0, int128s(400));
  EXPECT_EQUAL(0, floats(400));
  EXPECT_EQUAL(0, doubles(400));
  EXPECT_EQUAL(0, longDoubles(400));

  _Bool all = true, any = false;
  double _Complex z = 1;
  enum Bits { A = 1, B = 2 } bits = 0;
  int threads = 0;
#pragma omp parallel reduction(&& : all) reduction(|| : any) reduction(+ : z, threads) reduction(| : bits)
  {
    all = all && omp_get_thread_num() >= 0;
    any = any || omp_get_thread_num() == omp_get_num_threads() - 1;
    z += 1.0 + 1.0i;
    threads++;
    bits |= omp_get_thread_num() == 0 ? A : 0;
  }
  EXPECT(all && any);
  EXPECT(__real__ z == 1 + threads && __imag__ z == threads);
  EXPECT_EQUAL(A, bits);

  // Several in one region with and without nowait, read by all after the barrier.
  int wrong = 0, first = 0;
  long second = 100;
  double third = 1;
#pragma omp parallel reduction(+ : wrong)
  {
    for (int round = 0; round < 10; round++) {
#pragma omp for reduction(+ : first)
      for (int i = 0; i < 10; i++)
        first += i;
      wrong += first != 45 * (round + 1);
#pragma omp for reduction(max : second) nowait
      for (int i = 0; i < 50; i++)
        second = second > i * (round + 10) ? second : i * (round + 10);
#pragma omp for reduction(* : third) nowait
      for (int i = 0; i < 2; i++)
        third *= 2;
#pragma omp barrier
      wrong += second != 49 * (round + 10) || third != (double)(1 << 2 * (round + 1));
#pragma omp barrier
    }
  }
  EXPECT_EQUAL(0, wrong);
  return checkResult();
}
