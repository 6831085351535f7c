// Each thread produces a buffer for its right neighbour, and the neighbour tells when it has
// consumed it: pairs of threads synchronise by flags only, without any barrier.
#include "handoff.h"
#include "report.h"
#include <omp.h>

enum { Threads = 64, Length = 300, Rounds = 12 };

static double buffers[Threads][Length];
static struct {
  int produced, consumed;
  char padding[120];
} flags[Threads];

int main(void) {
  long total = 0;
  long team = 1;
#pragma omp parallel reduction(+ : total)
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    const int left = (me + threads - 1) % threads;
    for (int round = 1; round <= Rounds; round++) {
      waitUntilTurn(&flags[me].consumed, round - 1); // my buffer is free
      for (int i = 0; i < Length; i++)
        buffers[me][i] = 1000.0 * me + i + round;
      passTurn(&flags[me].produced, round);
      waitUntilTurn(&flags[left].produced, round);
      for (int i = 0; i < Length; i++) {
        expectReal("consumed", i, 1000.0 * left + i + round, buffers[left][i]);
        total += (long)buffers[left][i] - 1000L * left;
      }
      passTurn(&flags[left].consumed, round);
    }
#pragma omp single nowait
    team = threads;
  }
  expectInteger("sum of all", 0,
                team * (Rounds * (long)(Length * (Length - 1) / 2) +
                        Length * (long)(Rounds * (Rounds + 1) / 2)),
                total);
  return finish();
}
