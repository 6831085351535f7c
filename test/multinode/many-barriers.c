// 2000 barriers in one region; in each step every thread reads what its neighbour wrote in the step
// before.
#include "report.h"
#include <omp.h>

enum { Barriers = 2000, Threads = 64 };

static int slots[2][Threads];

int main(void) {
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    const int left = (me + threads - 1) % threads;
    slots[0][me] = me;
    for (int step = 1; step <= Barriers; step++) {
#pragma omp barrier
      slots[step % 2][me] = slots[(step + 1) % 2][left] + 1;
    }
    const int origin = (me + threads - Barriers % threads) % threads;
    expectInteger("value that went round", me, origin + Barriers, slots[Barriers % 2][me]);
  }
  return finish();
}
