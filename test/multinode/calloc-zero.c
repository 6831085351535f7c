// calloc gives zeros, also where other nodes have written before the memory was freed, in all
// sizes.
#include "report.h"
#include <omp.h>
#include <string.h>

enum { Threads = 64, Objects = 12, Rounds = 8 };

static unsigned char *objects[Threads][Objects];

static size_t sizeOf(int i) { return (size_t)5 << i; } // 5 bytes to 10 KiB

int main(void) {
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    for (int round = 0; round < Rounds; round++) {
      for (int i = 0; i < Objects; i++)
        objects[me][i] = calloc(sizeOf(i), 1);
#pragma omp barrier
      const int other = (me + round) % threads;
      for (int i = 0; i < Objects; i++) {
        long sum = 0;
        for (size_t k = 0; k < sizeOf(i); k++)
          sum += objects[other][i][k];
        expectInteger("zero", i, 0, sum);
      }
#pragma omp barrier
      for (int i = 0; i < Objects; i++)
        memset(objects[other][i], 0xff, sizeOf(i));
#pragma omp barrier
      const int third = (me + 2 * round + 1) % threads;
      for (int i = 0; i < Objects; i++) {
        expectInteger("filled", i, 0xff, objects[third][i][sizeOf(i) - 1]);
        free(objects[third][i]);
      }
#pragma omp barrier
    }
  }
  return finish();
}
