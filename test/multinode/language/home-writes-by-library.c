// What a library function writes into memory of the calling thread's own node (frexp, rand_r,
// gmtime_r), is seen by the others that read it before.
#include "../report.h"
#include <math.h>
#include <omp.h>
#include <time.h>
static int *own[16];
int main(void) {
  int *heap = malloc(4000), stack = 0;
  static int global;
  for (int r = 0; r < 20; r++) {
    frexp(ldexp(1, r), &stack);
    frexp(ldexp(1, r), &global);
    frexp(ldexp(1, r), &heap[r * 30]);
#pragma omp parallel
    {
      expectInteger("stack", r, r + 1, stack);
      expectInteger("global", r, r + 1, global);
      expectInteger("heap", r, r + 1, heap[r * 30]);
    }
  }
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), n = omp_get_num_threads();
    int mine = 0;
    int *h = malloc(64);
    own[me] = me % 2 ? &mine : h;
    for (int r = 0; r < 10; r++) {
      frexp(ldexp(1, r), own[me]);
#pragma omp barrier
      for (int o = 0; o < n; o++)
        expectInteger("own", o, r + 1, *own[o]);
#pragma omp barrier
    }
    free(h);
  }
  free(heap);
  return finish();
}
