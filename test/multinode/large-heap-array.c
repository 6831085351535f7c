// Arrays of 256 MB in all, touched sparsely: one value in every 64 KiB is written by the thread
// that owns its chunk, and then read by another thread; the rest must stay zero.
#include "report.h"
#include <omp.h>

enum { Megabytes = 128, Stride = 65536 };

static const long Bytes = (long)Megabytes << 20;

static long valueAt(long i, int round) { return i / Stride * 7 + round; }

int main(void) {
  char *first = malloc((size_t)Bytes), *second = calloc((size_t)Bytes, 1);
  if (!first || !second) {
    printf("no memory\n");
    return 1;
  }
  const long steps = Bytes / Stride;
  for (int round = 0; round < 2; round++) {
#pragma omp parallel for
    for (long k = 0; k < steps; k++) {
      const long at = k * Stride + k * 8 % 4096;
      *(long *)(first + at) = valueAt(at, round);
      *(long *)(second + at) += valueAt(at, round);
    }
#pragma omp parallel for schedule(static, 3)
    for (long k = 0; k < steps; k++) {
      const long at = k * Stride + k * 8 % 4096;
      expectInteger("value in malloc'ed memory", at, valueAt(at, round), *(long *)(first + at));
      expectInteger("value in calloc'ed memory", at,
                    round ? 2 * valueAt(at, 0) + 1 : valueAt(at, 0), *(long *)(second + at));
      expectInteger("next to the value", at, 0, *(long *)(second + at + 8));
    }
  }
  for (long k = 0; k < steps; k += 7) {
    const long at = k * Stride + k * 8 % 4096;
    expectInteger("value in serial code", at, valueAt(at, 1), *(long *)(first + at));
  }
  free(first);
  free(second);
  return finish();
}
