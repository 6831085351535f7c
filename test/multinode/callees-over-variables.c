// Loops call functions that were not inlined and access variables, too: those that threads of other nodes have changed,
// those that the function writes, and a pointer that it hands on to what it calls.
#include "report.h"
#include <omp.h>
#include <stdlib.h>

enum { Elements = 5000, Factors = 700, Rounds = 6, Teams = 64 };

static long factors[Factors], offset, *linked;
static long calls[Teams][16]; // One line for each thread, and more.

__attribute__((noinline)) static long factorOf(long k) { return factors[k % Factors] + offset; }

__attribute__((noinline)) static long linkedOf(const long *from, long k) { return from[k % Factors]; }

/* Reads variables itself and by what it calls; writes one by a number that it gets. */
__attribute__((noinline)) static void scale(long *to, long k, int me) {
  calls[me][k & 7]++;
  *to = *to * 3 + factorOf(k);
}

/* Hands a pointer on that nobody in front of the loop knows. */
__attribute__((noinline)) static long through(long *const *from, long k) { return linkedOf(*from, k) * factors[k % 9]; }

int main(void) {
  long *values = malloc(Elements * sizeof *values), *expected = malloc(Elements * sizeof *expected);
  for (long i = 0; i < Elements; i++)
    values[i] = expected[i] = i;
  for (int round = 1; round <= Rounds; round++) {
    long counted = 0, sum = 0, wanted = 0;
#pragma omp parallel reduction(+ : counted, sum)
    {
      const int me = omp_get_thread_num() % Teams, threads = omp_get_num_threads();
#pragma omp for schedule(static)
      for (int k = 0; k < Factors; k++)
        factors[k] = k * round;
      if (me == round % threads) {
        offset = round * 11;
        linked = malloc(Factors * sizeof *linked);
        for (long k = 0; k < Factors; k++)
          linked[k] = k + round;
      }
      for (int k = 0; k < 8; k++)
        calls[me][k] = 0;
#pragma omp barrier
#pragma omp for schedule(static, 40)
      for (long i = 0; i < Elements; i++)
        scale(values + i, i, me);
      for (long i = me; i < Factors; i += threads)
        sum += through(&linked, i);
      for (int k = 0; k < 8; k++)
        counted += calls[me][k];
    }
    for (long i = 0; i < Elements; i++)
      expected[i] = expected[i] * 3 + (i % Factors) * round + round * 11;
    for (long i = 0; i < Factors; i++)
      wanted += (i + round) * (i % 9) * round;
    for (long i = 0; i < Elements; i++)
      expectInteger("value", i, expected[i], values[i]);
    expectInteger("calls", round, Elements, counted);
    expectInteger("sum", round, wanted, sum);
    free(linked);
  }
  free(values), free(expected);
  return finish();
}
