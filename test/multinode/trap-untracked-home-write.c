// Trap 3: the home of a block serves it to a reader while one of the home's threads holds a
// permission to write and goes on writing. The reader must see those writes after the next barrier,
// and must not keep its copy. Every thread allocates a block in its turn, so that every node is
// home once.
#include "report.h"
#include <omp.h>

enum { Phases = 6, Bytes = 1000 };

int main(void) {
  const int rounds = 2 * omp_get_max_threads();
  unsigned char *block = NULL;
  for (int round = 0; round < rounds; round++) {
#pragma omp parallel
    {
      const int me = omp_get_thread_num(), threads = omp_get_num_threads();
      const int home = round % threads;
      if (me == home) {
        block = malloc(Bytes + threads);
        for (int i = 0; i < Bytes + threads; i++)
          block[i] = 0;
      }
#pragma omp barrier
      for (int phase = 1; phase <= Phases; phase++) {
        if (me == home) // a long interval: the others fetch in the middle of it
          for (int repeat = 1; repeat <= 20; repeat++)
            for (int i = 0; i < Bytes; i++)
              block[i] = (unsigned char)(i * phase + repeat);
        else
          block[Bytes + me] = (unsigned char)(phase + me);
#pragma omp barrier
        for (int i = 0; i < Bytes; i++)
          expectInteger("byte of the home", i, (unsigned char)(i * phase + 20), block[i]);
        for (int t = 0; t < threads; t++)
          expectInteger("byte of another thread", t, t == home ? 0 : phase + t, block[Bytes + t]);
#pragma omp barrier
      }
    }
    free(block);
  }
  return finish();
}
