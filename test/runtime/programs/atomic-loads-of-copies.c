// Who reads by atomic operations what seldom changes asks its home a few times and then reads a copy; and
// sees what others store there, in the end.
// RUN: %cc -O2 %s -o %t
// RUN: env OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 %t | %check %s
// RUN: %check --check-prefix=ASKED --input-file=%t.json %s
// RUN: %run -n 3 -t 2 %t | %check %s
// RUN: %run -n 1 -t 2 %t | %check %s
// Two loads of 200,000 steps on the node that is not the home, and those while it waits.
// ASKED: "atomics_remote": 0,
// ASKED: "atomics_remote": {{[0-9]?[0-9]?[0-9]?[0-9]?[0-9]}},
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { Steps = 200000, Hints = 64 };

int main(void) {
  static int best, isStopped;
  int *hints = calloc(Hints, sizeof(int)); // whose home is node 0
  long pruned = 0;
  best = 1 << 20;
#pragma omp parallel reduction(+ : pruned)
  {
    // Each bound is worse than the best, or not: the same number on each node.
#pragma omp for schedule(static)
    for (int step = 0; step < 2 * Steps; step++) {
      int bound, hint;
#pragma omp atomic read
      bound = best;
#pragma omp atomic read
      hint = hints[step % Hints];
      if ((step * 2654435761u >> 12) + hint > (unsigned)bound / 2)
        pruned++;
      if (step % 100000 == 99999) {
#pragma omp atomic
        hints[step % Hints] += 0;
      }
    }
    // Stored and never released before the others have seen it.
    if (omp_get_thread_num() == 0) {
#pragma omp atomic write
      isStopped = 1;
    }
    for (int stopped = 0, other; !stopped;) {
#pragma omp atomic read
      stopped = isStopped;
#pragma omp atomic read
      other = hints[7];
      stopped += other != 0;
    }
  }
  // CHECK: pruned 199999
  printf("pruned %ld\n", pruned);
  free(hints);
  return 0;
}
