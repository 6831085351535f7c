// Neighbouring bytes of an array are written by different threads in the same interval, at every
// distance.
#include "report.h"
#include <omp.h>

enum { Length = 3001, Rounds = 10 };

static unsigned char global[Length];

static void interleaved(unsigned char *bytes, int round) {
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    for (int i = me; i < Length; i += threads)
      bytes[i] = (unsigned char)(i * 3 + round);
#pragma omp barrier
    for (int i = 0; i < Length; i++)
      expectInteger("interleaved byte", i, (unsigned char)(i * 3 + round), bytes[i]);
#pragma omp barrier
    for (int i = (me + 1) % threads; i < Length; i += threads) // another thread's bytes
      bytes[i] = (unsigned char)(bytes[i] + i);
  }
  for (int i = 0; i < Length; i++)
    expectInteger("byte after the region", i, (unsigned char)(i * 4 + round), bytes[i]);
}

int main(void) {
  unsigned char *allocated = malloc(Length);
  for (int round = 0; round < Rounds; round++) {
    interleaved(global, round);
    interleaved(allocated, round + 1);
  }
  free(allocated);
  return finish();
}
