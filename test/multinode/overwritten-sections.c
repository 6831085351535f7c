// Loops that store whole sections, of which their node has nothing, old copies, or parts that were changed before: what
// lies beside them stays; what the loop may also read is there; other threads of the node release meanwhile.
#include "report.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { Length = 20000, Rounds = 4 };

static int locked;

__attribute__((noinline)) static void fill(long *to, long first, long last, long add) {
  for (long i = first; i < last; i++)
    to[i] = i * 3 + add;
}

/// May overlap, as far as the compiler knows, and does so in some calls.
__attribute__((noinline)) static void combine(long *to, const long *from, long count) {
  for (long i = 0; i < count; i++)
    to[i] = from[i] * 2 + 1;
}

int main(void) {
  long *values = malloc(Length * sizeof *values), *others = malloc(Length * sizeof *others);
  short *narrow = malloc(Length * sizeof *narrow);
  for (long i = 0; i < Length; i++)
    values[i] = others[i] = -i, narrow[i] = (short)i;
  for (int round = 0; round < Rounds; round++) {
#pragma omp parallel
    {
      const int me = omp_get_thread_num(), threads = omp_get_num_threads();
      // Neighbours share blocks at the ends of their parts, which move from round to round.
      const long first = (long)Length * me / threads + (me ? round * 7 : 0),
                 last = me + 1 == threads ? Length - 11 : (long)Length * (me + 1) / threads + round * 7;
      fill(values, first, last, round);
#pragma omp critical // releases what all threads of the node have stored so far
      locked++;
      fill(others, first, last, 10 * round);
#pragma omp barrier
      if (me == round % threads) {
        combine(values + 100, others + 50, 3000);   // apart
        combine(others + 5000, others + 5000, 300); // the same
        combine(others + 9000, others + 9100, 300); // overlapping
        memset(narrow + 1, round, 2001 * sizeof *narrow);
      }
    }
    for (long i = Length - 11; i < Length; i++)
      expectInteger("behind", i, -i, values[i]);
    for (long i = 0; i < Length - 11; i++) {
      const long o = i * 3 + 10 * round;
      expectInteger("values", i, i >= 100 && i < 3100 ? ((i - 50) * 3 + 10 * round) * 2 + 1 : i * 3 + round, values[i]);
      expectInteger("others", i,
                    i >= 5000 && i < 5300   ? o * 2 + 1
                    : i >= 9000 && i < 9300 ? ((i + 100) * 3 + 10 * round) * 2 + 1
                                            : o,
                    others[i]);
      expectInteger("narrow", i, i >= 1 && i <= 2001 ? round * 257 : (short)i, narrow[i]);
    }
  }
  expectInteger("locked", 0, Rounds * omp_get_max_threads(), locked);
  free(values), free(others), free(narrow);
  return finish();
}
