// The if clause: a region with if(0) is executed by one thread, in the same data; regions with a
// true condition by the team.
#include "report.h"
#include <omp.h>

enum { Length = 300 };

static int values[Length];

static int run(int wide, int add) {
  int threads = 0;
#pragma omp parallel if (wide)
  {
#pragma omp for
    for (int i = 0; i < Length; i++)
      values[i] += add + i;
#pragma omp single
    threads = omp_get_num_threads();
    expectInteger("in parallel", add, wide && omp_get_num_threads() > 1, omp_in_parallel());
  }
  return threads;
}

int main(void) {
  int added = 0;
  for (int round = 1; round <= 12; round++) {
    const int wide = round % 3 != 0;
    const int threads = run(wide, round);
    added += round;
    expectInteger("threads", round, wide ? omp_get_max_threads() : 1, threads);
    for (int i = 0; i < Length; i++)
      expectInteger("value", i, added + round * i, values[i]);
  }
  int plain = 0;
#pragma omp parallel if (0)
  {
#pragma omp critical
    plain++;
#pragma omp barrier
#pragma omp atomic
    plain++;
#pragma omp master
    plain++;
  }
  expectInteger("region of one thread", 0, 3, plain);
  return finish();
}
