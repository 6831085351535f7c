// Every thread reads all of 24 MiB and changes a part of each chunk, on nodes that may keep 1 MiB
// of each other's memory: copies come and go, and what was changed in them is not lost.
// ENVIRONMENT: OMPDSM_CACHE_LIMIT=1M
#include "report.h"
#include <omp.h>

enum { Words = 24 << 17, Chunk = 1 << 16, Rounds = 2 };

static long valueAt(long i, int round) { return i * 3 + round * 1000003L; }

int main(void) {
  long *array = malloc(Words * sizeof *array);
  for (long i = 0; i < Words; i++)
    array[i] = valueAt(i, 0);
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    for (int round = 0; round < Rounds; round++)
      for (long first = 0; first < Words; first += Chunk) {
        long wrong = -1;
        for (long i = first; i < first + Chunk; i++)
          if (array[i] != valueAt(i, round))
            wrong = i;
        if (wrong >= 0)
          expectInteger("value before a change", wrong, valueAt(wrong, round), array[wrong]);
#pragma omp barrier
        // Parts that change from round to round, with neighbours in one line.
        for (long i = first + (me + round) % threads; i < first + Chunk; i += threads)
          array[i] = valueAt(i, round + 1);
      }
  }
  for (long i = 0; i < Words; i++)
    if (array[i] != valueAt(i, Rounds)) {
      expectInteger("value at the end", i, valueAt(i, Rounds), array[i]);
      break;
    }
  free(array);
  return finish();
}
