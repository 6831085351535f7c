// Trap 1: a thread writes 7, another thread then writes 5 and releases, the first writes 7 again.
// A comparison with the first thread's old twin (which holds 7) finds nothing to send, and the 5
// stays. The neighbours of the byte are written in every step so that the block stays dirty at
// both.
#include "handoff.h"
#include "report.h"
#include <omp.h>

enum { Rounds = 24, Bytes = 64 };

static unsigned char global[Bytes];

static void play(unsigned char *b, int *turn, int me, int threads) {
  for (int r = 0; r < Rounds; r++) {
    const int first = r % threads, second = (r + 1 + r / threads) % threads;
    const int target = r % 7 + 3, base = 4 * r;
    if (me == first) {
      waitForTurn(turn, base);
      b[target] = 7;
      b[target - 1] = (unsigned char)r;
      passTurn(turn, base + 1);
    }
    if (me == second) {
      waitForTurn(turn, base + 1);
      b[target] = 5;
      b[target + 1] = (unsigned char)(r + 100);
      passTurn(turn, base + 2);
    }
    if (me == first) {
      waitForTurn(turn, base + 2);
      b[target] = 7;
      b[target - 1] = (unsigned char)(r + 1);
      passTurn(turn, base + 3);
    }
    waitUntilTurn(turn, base + 3);
    expectInteger("value written again", r, 7, b[target]);
    expectInteger("neighbour of the first", r, r + 1, b[target - 1]);
    expectInteger("neighbour of the second", r, r + 100, b[target + 1]);
#pragma omp barrier
    if (me == second)
      passTurn(turn, base + 4);
#pragma omp barrier
  }
}

int main(void) {
  unsigned char *allocated = NULL;
  int turn = 0;
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    play(global, &turn, me, threads);
#pragma omp barrier
    if (me == threads - 1) { // a block whose home is another node
      allocated = calloc(Bytes, 1);
      passTurn(&turn, 0);
    }
#pragma omp barrier
    play(allocated, &turn, me, threads);
  }
  free(allocated);
  return finish();
}
