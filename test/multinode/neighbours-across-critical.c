// A counter and its data move from thread to thread under a critical while other bytes of the same
// block are written outside of it by their owners.
#include "report.h"
#include <omp.h>

enum { Threads = 64, Steps = 50 };

static struct {
  int turn;
  unsigned char own[Threads];
  long history[4];
  unsigned char more[Threads];
} shared;

int main(void) {
  int team = 1;
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
#pragma omp single
    team = omp_get_num_threads();
    for (int step = 1; step <= Steps; step++) {
      shared.own[me] = (unsigned char)(step * 2);
#pragma omp critical
      {
        const int turn = shared.turn++;
        for (int k = 0; k < 4; k++) {
          expectInteger("history", step, (long)turn * (k + 1), shared.history[k]);
          shared.history[k] += k + 1;
        }
      }
      shared.more[me] = (unsigned char)(step * 3);
      expectInteger("own byte", step, (unsigned char)(step * 2), shared.own[me]);
    }
  }
  expectInteger("turns", 0, (long)team * Steps, shared.turn);
  for (int t = 0; t < team; t++) {
    expectInteger("own", t, (unsigned char)(Steps * 2), shared.own[t]);
    expectInteger("more", t, (unsigned char)(Steps * 3), shared.more[t]);
  }
  return finish();
}
