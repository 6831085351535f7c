// Two buffers change roles between iterations through shared pointers that one thread swaps, on the
// stack and in a struct.
#include "report.h"
#include <omp.h>

enum { Length = 320, Steps = 24 };

struct Buffers {
  int *now, *next;
};

int main(void) {
  int *a = malloc(Length * sizeof *a), *b = malloc(Length * sizeof *b);
  struct Buffers *buffers = malloc(sizeof *buffers);
  int expected[Length], before[Length];
  for (int i = 0; i < Length; i++)
    a[i] = expected[i] = i % 19;
  buffers->now = malloc(Length * sizeof *a);
  buffers->next = malloc(Length * sizeof *a);
  for (int i = 0; i < Length; i++)
    buffers->now[i] = a[i];

  for (int step = 0; step < Steps; step++) {
#pragma omp parallel for schedule(static, 10)
    for (int i = 0; i < Length; i++)
      b[i] = a[(i + 1) % Length] + a[i] % 5;
    int *kept = a; // swapped in serial code
    a = b;
    b = kept;
  }
#pragma omp parallel
  for (int step = 0; step < Steps; step++) {
#pragma omp for schedule(static, 10)
    for (int i = 0; i < Length; i++)
      buffers->next[i] = buffers->now[(i + 1) % Length] + buffers->now[i] % 5;
#pragma omp single
    {
      int *kept = buffers->now; // swapped in the region by any thread
      buffers->now = buffers->next;
      buffers->next = kept;
    }
  }
  for (int step = 0; step < Steps; step++) {
    for (int i = 0; i < Length; i++)
      before[i] = expected[i];
    for (int i = 0; i < Length; i++)
      expected[i] = before[(i + 1) % Length] + before[i] % 5;
  }
  for (int i = 0; i < Length; i++) {
    expectInteger("swapped in serial code", i, expected[i], a[i]);
    expectInteger("swapped in the region", i, expected[i], buffers->now[i]);
  }
  free(a);
  free(b);
  free(buffers->now);
  free(buffers->next);
  free(buffers);
  return finish();
}
