// Memory that nobody has initialised is written whole by the threads, by memset, by loops and
// backwards, and then read by others; after a free the same memory is used again for something
// else.
#include "report.h"
#include <omp.h>
#include <string.h>

enum { Length = 6000, Rounds = 6 };

int main(void) {
  for (int round = 0; round < Rounds; round++) {
    int *numbers = malloc(Length * sizeof *numbers);
    char *bytes = malloc(Length);
    double *backwards = malloc(Length * sizeof *backwards);
#pragma omp parallel
    {
      const int me = omp_get_thread_num(), threads = omp_get_num_threads();
      const int begin = (int)((long)Length * me / threads),
                end = (int)((long)Length * (me + 1) / threads);
#pragma omp for nowait
      for (int i = 0; i < Length; i++)
        numbers[i] = i ^ round;
      memset(bytes + begin, me + round, (size_t)(end - begin));
      for (int i = end - 1; i >= begin; i--)
        backwards[i] = i - round;
#pragma omp barrier
      for (int i = (me * 31) % 7; i < Length; i += 7) {
        expectInteger("number", i, i ^ round, numbers[i]);
        expectReal("backwards", i, i - round, backwards[i]);
      }
      for (int t = 0; t < threads; t++)
        for (int i = (int)((long)Length * t / threads); i < (int)((long)Length * (t + 1) / threads);
             i += 13)
          expectInteger("byte", i, t + round, bytes[i]);
    }
    free(numbers);
    free(bytes);
    free(backwards);
  }
  return finish();
}
