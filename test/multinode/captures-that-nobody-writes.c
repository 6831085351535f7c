// Variables of all scalar types that regions only read, and that the program changes between regions: in nested
// regions, serialised ones, through pointers, before and after regions that do write them.
#include "report.h"
#include <omp.h>

enum { Length = 240 };

static long values[Length];

static void changeBy(long *value, long by) { *value += by; }

static void fill(char c, short s, int i, long l, float f, double d, const long *from, int wide) {
  for (int round = 0; round < 4; round++) {
#pragma omp parallel for if (wide)
    for (int k = 0; k < Length; k++)
      values[k] = c + s + i + l + (long)(f * 2) + (long)(d * 4) + from[k];
    const long rest = c + s + i + l + (long)(f * 2) + (long)(d * 4);
    for (int k = 0; k < Length; k++)
      expectInteger("value", k, rest + from[k], values[k]);
    // Everything is another for the next region.
    c = (char)-c, s += 300, i -= 70000, f = -f * 2, d += 0.25;
    changeBy(&l, 1L << 40);
  }
}

static void nest(long outer, const long *from) {
  long sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    long inner = outer * 2;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
    for (int k = 0; k < Length; k++)
      sum += from[k] * inner + outer;
    inner++; // Written, but not in the inner region.
    expectInteger("inner", omp_get_thread_num(), outer * 2 + 1, inner);
  }
  long each = 0;
  for (int k = 0; k < Length; k++)
    each += from[k] * outer * 2 + outer;
  expectInteger("nested", outer, each * omp_get_max_threads(), sum);
}

int main(void) {
  static long from[Length];
  for (int k = 0; k < Length; k++)
    from[k] = 7L * k;
  fill(3, -200, 100000, -5, 1.5F, -0.75, from, 1);
  fill(-7, 12, -4, 1L << 50, -32.5F, 8.25, from, 0);
  nest(3, from);
  nest(-1000, from);
  // Read by one region, written by the next, and back.
  int turn = 0;
  for (int round = 0; round < 6; round++) {
    const int before = turn;
#pragma omp parallel
    expectInteger("turn", round, before, turn);
#pragma omp parallel
#pragma omp single
    turn += round;
    expectInteger("turn after", round, before + round, turn);
  }
  return finish();
}
