// Functions that were not inlined get arrays on the stack and variables, which threads of other nodes have changed or
// not, with indices that the compiler cannot compute; so their loops ask whether all of such an object may be accessed.
#include "report.h"
#include <omp.h>
#include <string.h>

enum { Length = 600, Rounds = 6, Most = 64 };

static int order[Length], table[40000]; // A small and a large variable.

/* to[k] = what is stored at order[k], and in the table. */
__attribute__((noinline)) static void gather(long *to, const long *from, const int *places, const int *more, int n) {
  for (int k = 0; k < n; k++)
    to[places[k]] = from[places[n - 1 - k]] + more[places[k] * 60];
}

__attribute__((noinline)) static long sumOf(const long *from, const int *places, int n) {
  long sum = 0;
  for (int k = 0; k < n; k++)
    sum += from[places[k]] * (k + 1);
  return sum;
}

int main(void) {
  long shared[Length], sums[Most]; // On the first node's stack.
  for (int k = 0; k < Length; k++)
    shared[k] = k;
  for (int round = 1; round <= Rounds; round++) {
    for (int k = 0; k < Length; k++) {
      order[k] = (k * 7 + round) % Length;
      table[k * 60] = k * round;
    }
    memset(sums, 0, sizeof sums);
#pragma omp parallel
    {
      const int me = omp_get_thread_num() % Most, threads = omp_get_num_threads();
      long own[Length]; // On each thread's.
      gather(own, shared, order, table, Length);
      sums[me] = sumOf(own, order, Length);
#pragma omp barrier
      for (int k = me; k < Length; k += threads) // Written by all, and gathered in the next round.
        shared[k] = own[k] % 100003;
    }
    for (int thread = 1; thread < omp_get_max_threads() && thread < Most; thread++)
      if (sums[thread] != 0)
        expectInteger("sum", thread, sums[0], sums[thread]);
  }
  long last = 0;
  for (int k = 0; k < Length; k++)
    last = (last * 31 + shared[k]) % 1000003;
  expectInteger("answer", 0, 644022, last);
  return finish();
}
