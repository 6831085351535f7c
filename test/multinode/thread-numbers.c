// omp_get_thread_num, omp_get_num_threads, omp_get_max_threads, omp_in_parallel and omp_get_wtime:
// the numbers of a team are 0 to n - 1, each once, equal in all threads and the same in every
// region.
#include "report.h"
#include <omp.h>

enum { Threads = 64, Rounds = 20 };

static int present[Threads], sizes[Threads];
static double begin[Threads], end[Threads];

int main(void) {
  int team = 0;
  expectInteger("thread number in serial code", 0, 0, omp_get_thread_num());
  expectInteger("threads in serial code", 0, 1, omp_get_num_threads());
  expectInteger("in parallel, in serial code", 0, 0, omp_in_parallel());
  const double start = omp_get_wtime();
  for (int round = 1; round <= Rounds; round++) {
#pragma omp parallel
    {
      const int me = omp_get_thread_num();
      begin[me] = omp_get_wtime();
      present[me]++;
      sizes[me] = omp_get_num_threads();
      expectInteger("in parallel", me, omp_get_num_threads() > 1, omp_in_parallel());
#pragma omp barrier
      end[me] = omp_get_wtime();
#pragma omp master
      team = omp_get_num_threads();
    }
    expectInteger("size of the team", round, omp_get_max_threads(), team);
    for (int t = 0; t < Threads; t++) {
      expectInteger("times present", t, t < team ? round : 0, present[t]);
      expectInteger("size that the thread saw", t, t < team ? team : 0, sizes[t]);
      expectInteger("time runs forward", t, 1, begin[t] <= end[t]);
    }
  }
  expectInteger("time has passed", 0, 1, omp_get_wtime() >= start);
  return finish();
}
