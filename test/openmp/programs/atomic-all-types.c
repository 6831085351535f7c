// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// atomic read, write, update and capture with every memory order, on all types of 1 to 16 bytes, in
// globals, on the stack, on the heap, in members and array elements.
#include "check.h"
#include <complex.h>
#include <omp.h>
#include <stdbool.h>
#include <stdlib.h>

enum { Rounds = 20 };
#define PRAGMA_(x) _Pragma(#x)
#define PRAGMA(x) PRAGMA_(x)

struct Mixed {
  char a;
  short b;
  int c;
  long d;
  float e;
  double f;
  unsigned char g[3];
};
static struct Mixed global;
static long double wide;
static double _Complex z;
static float _Complex zf;
static _Bool flags[8];

// All operations of one type in one place: adds Rounds for each thread in several ways.
#define ALL(TYPE, NAME)                                                                            \
  static void all_##NAME(TYPE *x, TYPE *y, TYPE *seen) {                                           \
    for (int i = 0; i < Rounds; i++) {                                                             \
      TYPE before, after;                                                                          \
      PRAGMA(omp atomic update relaxed) *x += 1;                                                   \
      PRAGMA(omp atomic seq_cst) *x = *x + 1;                                                      \
      PRAGMA(omp atomic release) *x = 1 + *x;                                                      \
      PRAGMA(omp atomic release) ++*x;                                                             \
      PRAGMA(omp atomic capture acq_rel) before = (*x)++;                                          \
      PRAGMA(omp atomic capture seq_cst) after = --*x;                                             \
      PRAGMA(omp atomic capture) {                                                                 \
        before = *y;                                                                               \
        *y -= 1;                                                                                   \
      }                                                                                            \
      PRAGMA(omp atomic capture relaxed) {                                                         \
        *y = *y + 2;                                                                               \
        after = *y;                                                                                \
      }                                                                                            \
      PRAGMA(omp atomic write release) *seen = before;                                             \
      PRAGMA(omp atomic write seq_cst) *seen = after;                                              \
      PRAGMA(omp atomic read acquire) before = *seen;                                              \
      PRAGMA(omp atomic read seq_cst) after = *x;                                                  \
      (void)before, (void)after;                                                                   \
    }                                                                                              \
  }
ALL(char, char)
ALL(unsigned char, uchar)
ALL(short, short)
ALL(int, int)
ALL(unsigned, unsigned)
ALL(long, long)
ALL(unsigned long, ulong)
ALL(float, float)
ALL(double, double)
ALL(long double, longdouble)

int main(void) {
  struct Mixed onStack = {0}, seen = {0}, *heap = calloc(3, sizeof *heap), y = {0};
  long double onStackWide = 0, *heapWide = calloc(3, sizeof *heapWide), seenWide = 0;
  unsigned u = 0, u2 = 0, u3 = 0;
  unsigned long ul = 0, ul2 = 0, ul3 = 0;
  int threads = 0;
#pragma omp parallel
  {
#pragma omp single
    threads = omp_get_num_threads();
    all_char(&global.a, &heap[0].a, &seen.a);
    all_short(&global.b, &y.b, &heap[1].b);
    all_int(&onStack.c, &heap[1].c, &seen.c);
    all_long(&heap[2].d, &y.d, &seen.d);
    all_float(&global.e, &onStack.e, &heap[2].e);
    all_double(&heap[0].f, &global.f, &seen.f);
    all_uchar(&global.g[1], &heap[0].g[2], &seen.g[0]);
    all_longdouble(&wide, &onStackWide, heapWide);
    all_longdouble(heapWide + 1, heapWide + 2, &seenWide);
    all_unsigned(&u, &u2, &u3);
    all_ulong(&ul, &ul2, &ul3);
    for (int i = 0; i < Rounds; i++) {
#pragma omp atomic
      z += 1 + 2 * I;
#pragma omp atomic
      zf += 2 - 1 * I;
    }
  }
  int wanted = 4 * threads * Rounds, wantedY = threads * Rounds;
  EXPECT_EQUAL((char)wanted, global.a);
  EXPECT_EQUAL((char)wantedY, heap[0].a);
  EXPECT_EQUAL(wanted, global.b);
  EXPECT_EQUAL(wantedY, y.b);
  EXPECT_EQUAL(wanted, onStack.c);
  EXPECT_EQUAL(wantedY, heap[1].c);
  EXPECT_EQUAL(wanted, heap[2].d);
  EXPECT_EQUAL(wantedY, y.d);
  EXPECT(global.e == wanted);
  EXPECT(onStack.e == wantedY);
  EXPECT(heap[0].f == wanted);
  EXPECT(global.f == wantedY);
  EXPECT_EQUAL((unsigned char)wanted, global.g[1]);
  EXPECT_EQUAL((unsigned char)wantedY, heap[0].g[2]);
  EXPECT_EQUAL(0, global.g[0] + global.g[2] + heap[0].g[0] + heap[0].g[1]);
  EXPECT(wide == wanted && heapWide[1] == wanted);
  EXPECT(onStackWide == wantedY && heapWide[2] == wantedY);
  EXPECT_EQUAL(wanted, u);
  EXPECT_EQUAL(wantedY, u2);
  EXPECT_EQUAL(wanted, ul);
  EXPECT_EQUAL(wantedY, ul2);
  EXPECT(creal(z) == wantedY && cimag(z) == 2 * wantedY);
  EXPECT(crealf(zf) == 2 * wantedY && cimagf(zf) == -wantedY);

  // Other operators, mixed types on the right, and swaps by capture.
  unsigned char bits = 0;
  unsigned long ors = 0, xors = 0, ands = ~0ul, shifted = 1;
  int product = 1, divided = 1 << 20, token = -1, missing = 0;
  double scaled = 1, fromInt = 0;
  short truncated = 0;
  static int passed[256];
#pragma omp parallel
  {
    int me = omp_get_thread_num(), got;
#pragma omp atomic
    ors |= 1ul << me;
#pragma omp atomic
    xors ^= 3ul << me;
#pragma omp atomic
    ands &= ~(1ul << me);
#pragma omp atomic
    shifted <<= 1;
#pragma omp atomic
    product *= me < 4 ? 3 : 1;
#pragma omp atomic
    divided /= me < 4 ? 2 : 1;
#pragma omp atomic
    scaled = 2 * scaled;
#pragma omp atomic
    fromInt += me;
#pragma omp atomic
    truncated += 1.75;
#pragma omp atomic
    bits = bits | (1 << (me % 8));
#pragma omp atomic write
    flags[me % 8] = true;
#pragma omp atomic capture
    {
      got = token;
      token = me;
    }
    // Each token but the last is taken by exactly one thread.
    if (got >= 0) {
#pragma omp atomic
      passed[got]++;
    } else {
#pragma omp atomic
      missing++;
    }
  }
  int first = threads < 4 ? threads : 4, wantedProduct = 1;
  unsigned long wantedXor = 0, wantedAnd = ~0ul;
  for (int i = 0; i < first; i++)
    wantedProduct *= 3;
  for (int i = 0; i < threads; i++)
    wantedXor ^= 3ul << i, wantedAnd &= ~(1ul << i);
  EXPECT_EQUAL((1l << threads) - 1, ors);
  EXPECT_EQUAL(wantedXor, xors);
  EXPECT_EQUAL(wantedAnd, ands);
  EXPECT_EQUAL(1l << threads, shifted);
  EXPECT_EQUAL(wantedProduct, product);
  EXPECT_EQUAL((1 << 20) >> first, divided);
  EXPECT(scaled == (double)(1l << threads));
  EXPECT(fromInt == threads * (threads - 1) / 2);
  EXPECT_EQUAL(threads, truncated);
  EXPECT_EQUAL(1, missing);
  for (int i = 0; i < threads; i++) {
    EXPECT_EQUAL(i != token, passed[i]);
    EXPECT(flags[i % 8]);
  }
  EXPECT_EQUAL(threads >= 8 ? 255 : (1 << threads) - 1, bits);
  free(heap);
  free(heapWide);
  return checkResult();
}
