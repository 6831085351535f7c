// Trap 8: a thread releases its byte of a block while another thread of the node fetches the same
// block. The reply may have left the home before it saw the update, and must not bring the old byte
// back.
#include "handoff.h"
#include "report.h"
#include <omp.h>

enum { Rounds = 40, Threads = 64, Blocks = 8, Stride = 256 };

static unsigned char cells[Blocks * Stride];
static int go;

int main(void) {
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    for (int round = 1; round <= Rounds; round++) {
      const unsigned char value = (unsigned char)(round * 5 + me);
      const int upsetter = round % threads;
      // All copies but one become stale, then all threads fetch and release at the same time.
      if (me == upsetter) {
        for (int b = 0; b < Blocks; b++)
          cells[b * Stride + Threads] = (unsigned char)round;
        passTurn(&go, round);
      }
      waitUntilTurn(&go, round);
      for (int b = 0; b < Blocks; b++) {
        const int k = (b + me) % Blocks;
        if ((me + b) % 2) { // write, release, and look at what is left
          cells[k * Stride + me] = value;
#pragma omp flush
          expectInteger("own byte after the release", k, value, cells[k * Stride + me]);
        } else { // fetch first
          expectInteger("upsetter's byte", k, (unsigned char)round, cells[k * Stride + Threads]);
          cells[k * Stride + me] = value;
#pragma omp flush
        }
        expectInteger("own byte", k, value, cells[k * Stride + me]);
      }
#pragma omp barrier
      for (int b = 0; b < Blocks; b++)
        for (int t = 0; t < threads; t++)
          expectInteger("byte of a thread", t, (unsigned char)(round * 5 + t),
                        cells[b * Stride + t]);
#pragma omp barrier
    }
  }
  return finish();
}
