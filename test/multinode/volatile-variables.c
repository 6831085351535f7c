// volatile objects, global and on stacks, are written and read between barriers; no access may be
// left out or moved.
#include "report.h"
#include <omp.h>

enum { Rounds = 60, Threads = 64 };

static volatile int global;
static volatile struct {
  char small[Threads];
  long large[Threads];
} members;

int main(void) {
  volatile double onStack = 0;
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    volatile int own = 0;
    for (int round = 1; round <= Rounds; round++) {
      if (me == round % threads) {
        global = round;
        onStack = onStack + 0.5;
      }
      members.small[me] = (char)round;
      members.large[me] = members.large[me] + round;
      own = own + members.small[me];
#pragma omp barrier
      expectInteger("global", round, round, global);
      expectReal("on the stack", round, 0.5 * round, onStack);
      for (int t = 0; t < threads; t++) {
        expectInteger("small member", t, (char)round, members.small[t]);
        expectInteger("large member", t, (long)round * (round + 1) / 2, members.large[t]);
      }
#pragma omp barrier
    }
    expectInteger("own", me, Rounds * (Rounds + 1) / 2, own);
  }
  return finish();
}
