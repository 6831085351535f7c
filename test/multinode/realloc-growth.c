// Arrays grow by realloc in all threads at the same time, small to large; some grow in a thread
// that did not allocate them. The old content must be there, also what another node wrote into it.
#include "report.h"
#include <omp.h>

enum { Threads = 64, Steps = 10 };

static int *arrays[Threads];
static long lengths[Threads];

int main(void) {
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    for (int step = 0; step < Steps; step++) {
      const int k = (me + step) % threads; // the array changes hands in each step
      const long before = lengths[k], after = before * 2 + 3 + k % 5;
      int *grown = realloc(arrays[k], (size_t)after * sizeof *grown);
      for (long i = 0; i < before; i++)
        expectInteger("kept value", i, i * 3 + k, grown[i]);
      for (long i = before; i < after; i++)
        grown[i] = (int)(i * 3 + k);
      arrays[k] = grown;
      lengths[k] = after;
#pragma omp barrier
    }
    const int k = (me + Steps) % threads; // shrink, then give back
    int *shrunk = realloc(arrays[k], 10 * sizeof *shrunk);
    for (int i = 0; i < 10; i++)
      expectInteger("value after shrinking", i, i * 3 + k, shrunk[i]);
    free(shrunk);
  }
  return finish();
}
