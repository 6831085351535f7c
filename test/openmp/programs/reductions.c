// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %on4 | grep -x ok
// Reductions of all operators, of several variables, arrays and a declared reduction, with and
// without the barrier at the end; many in a row without one.
#include "check.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000, Big = 20000 };
typedef struct {
  double low, high;
  long count;
} Range;
static void joinRanges(Range *to, const Range *from) {
  if (from->count && (!to->count || from->low < to->low))
    to->low = from->low;
  if (from->count && (!to->count || from->high > to->high))
    to->high = from->high;
  to->count += from->count;
}
#pragma omp declare reduction(range : Range : joinRanges(&omp_out, &omp_in))                        \
    initializer(omp_priv = (Range){0, 0, 0})

static double big[Big];

int main(void) {
  int threads = omp_get_max_threads();
  long sum = 5;
  int product = 1, all = 1, any = 0, low = 1 << 30, high = -1;
  unsigned bitsAnd = ~0u, bitsOr = 0, bitsXor = 0;
  char small = 3;
  long double wide = 0;
#pragma omp parallel for reduction(+ : sum, wide) reduction(* : product) reduction(&& : all)        \
    reduction(|| : any) reduction(min : low) reduction(max : high) reduction(& : bitsAnd)          \
    reduction(| : bitsOr) reduction(^ : bitsXor) reduction(- : small)
  for (int i = 0; i < N; i++) {
    sum += i;
    wide += i * 0.5L;
    product *= i % 100 == 7 ? 2 : 1;
    all = all && i >= 0;
    any = any || i == 500;
    low = i < low ? i : low;
    high = i > high ? i : high;
    bitsAnd &= ~(1u << (i % 8));
    bitsOr |= 1u << (i % 8);
    bitsXor ^= (unsigned)i;
    small += i == 400 ? 4 : 0;
  }
  EXPECT_EQUAL(5 + N * (N - 1) / 2, sum);
  EXPECT(wide == N * (N - 1) / 4.0L);
  EXPECT_EQUAL(1024, product);
  EXPECT(all && any);
  EXPECT_EQUAL(0, low);
  EXPECT_EQUAL(N - 1, high);
  EXPECT_EQUAL(~0xffu, bitsAnd);
  EXPECT_EQUAL(0xff, bitsOr);
  unsigned expectedXor = 0;
  for (unsigned i = 0; i < N; i++)
    expectedXor ^= i;
  EXPECT_EQUAL(expectedXor, bitsXor);
  EXPECT_EQUAL(7, small);

  Range range = {0, 0, 0};
#pragma omp parallel for reduction(range : range)
  for (int i = 0; i < N; i++) {
    Range one = {i - 10.0, i + 10.0, 1};
    joinRanges(&range, &one);
  }
  EXPECT(range.low == -10 && range.high == N + 9 && range.count == N);

  // An array longer than one message, and a variable-length one.
#pragma omp parallel reduction(+ : big)
  for (int i = 0; i < Big; i++)
    big[i] += i;
  for (int i = 0; i < Big; i++)
    EXPECT(big[i] == (double)threads * i);
  int length = 10 + threads;
  int vla[length];
  memset(vla, 0, sizeof vla);
#pragma omp parallel reduction(+ : vla[ : length])
  for (int i = 0; i < length; i++)
    vla[i] += i;
  for (int i = 0; i < length; i++)
    EXPECT_EQUAL(threads * i, vla[i]);

  // The blocking form: every thread sees the result after the construct, without another barrier.
  long total = 0, wrong = 0;
#pragma omp parallel
  {
    for (int round = 1; round <= 20; round++) {
#pragma omp for reduction(+ : total)
      for (int i = 0; i < 100; i++)
        total += 1;
      if (total != 100 * round) {
#pragma omp atomic
        wrong++;
      }
#pragma omp barrier
    }
    for (int round = 0; round < 50; round++) {
#pragma omp for reduction(+ : sum) nowait
      for (int i = 0; i < 100; i++)
        sum += 1;
    }
  }
  EXPECT_EQUAL(0, wrong);
  EXPECT_EQUAL(5 + N * (N - 1) / 2 + 5000, sum);
  return checkResult();
}
