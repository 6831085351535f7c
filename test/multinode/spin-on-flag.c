// A thread spins on a flag with flush, in the way of OpenMP 2.5 and with relaxed atomics; data
// follows the flag by the flushes around it.
#include "report.h"
#include <omp.h>

enum { Rounds = 15, Length = 100 };

static int flag;
static int data[Length];

int main(void) {
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    for (int round = 1; round <= Rounds; round++) {
      const int writer = (round * 3) % threads;
      if (me == writer) {
        for (int i = 0; i < Length; i++)
          data[i] = round * i;
#pragma omp flush
#pragma omp atomic write
        flag = round;
#pragma omp flush
      } else {
        for (int now = 0; now != round;) {
#pragma omp flush
#pragma omp atomic read
          now = flag;
        }
#pragma omp flush
        for (int i = 0; i < Length; i++)
          expectInteger("data behind the flag", i, round * i, data[i]);
      }
#pragma omp barrier
    }
  }
  expectInteger("flag", 0, Rounds, flag);
  return finish();
}
