// Trap 7: two writers own neighbouring bytes of a block. The first one's release sends an
// invalidation to the reader; the second one's release follows at once, finds that the home has no
// sharers left, and may not end before that earlier invalidation has arrived. The reader is told
// only by the second writer.
#include "handoff.h"
#include "report.h"
#include <omp.h>

enum { Rounds = 40 };

struct Pair {
  unsigned char first[24], second[24];
};

static struct Pair pair;
static int told, seen, start;

int main(void) {
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    for (int round = 1; round <= Rounds; round++) {
      const int a = round % threads, b = (round + 1) % threads,
                reader = (round + 2 + round / threads) % threads;
      const unsigned char value = (unsigned char)(3 * round);
      // The reader holds a copy before the writers begin.
      if (me == reader) {
        expectInteger("second before", round, (unsigned char)(3 * (round - 1)),
                      pair.second[round % 24]);
        passTurn(&start, round);
      }
      if (me == a) {
        waitUntilTurn(&start, round);
        for (int i = 0; i < 24; i++)
          pair.first[i] = value;
#pragma omp flush
      }
      if (me == b) {
        waitUntilTurn(&start, round);
        for (int i = 0; i < 24; i++)
          pair.second[i] = value;
        passTurn(&told, round);
      }
      if (me == reader) {
        waitUntilTurn(&told, round);
        for (int i = 0; i < 24; i++)
          expectInteger("second after", round, value, pair.second[i]);
        passTurn(&seen, round);
      }
#pragma omp barrier
      expectInteger("first", round, value, pair.first[me % 24]);
      expectInteger("seen", round, round, seen);
#pragma omp barrier
    }
  }
  return finish();
}
