// masked and master are executed by thread 0 only (or by the filtered thread) and do not wait; what
// they wrote is there after a barrier.
#include "report.h"
#include <omp.h>

enum { Rounds = 40, Length = 64 };

static short table[Length];
static int byMaster, byMasked, byFilter;

int main(void) {
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    for (int round = 0; round < Rounds; round++) {
#pragma omp master
      {
        expectInteger("thread in master", round, 0, omp_get_thread_num());
        byMaster++;
        for (int i = 0; i < Length; i += 2)
          table[i] = (short)(round * i);
      }
#pragma omp masked
      byMasked++;
#pragma omp masked filter(threads - 1)
      {
        expectInteger("thread in masked", round, threads - 1, me);
        byFilter++;
        for (int i = 1; i < Length; i += 2)
          table[i] = (short)(round * i + 1);
      }
#pragma omp barrier
      for (int i = 0; i < Length; i++)
        expectInteger("table", i, round * i + i % 2, table[i]);
      expectInteger("executions", round, 3 * (round + 1), byMaster + byMasked + byFilter);
#pragma omp barrier
    }
  }
  return finish();
}
