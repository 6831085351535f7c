// A thread reads rows of an array, updates elements of them atomically, and reads the rows again, with no synchronisation
// in between: it sees its own updates, though it has found before that all of the array may be read.
#include "report.h"
#include <omp.h>

enum { Rows = 64, Stride = 512, Width = 300, Updates = 40, MostThreads = 64 };

static int *all; // [thread][row][column]; written by the first thread, so that it is of its node

static long sumOfRows(const int *rows, int count) {
  long sum = 0;
  for (int row = 0; row < count; row++)
    for (int column = 0; column < Width; column++)
      sum += rows[row * Stride + column];
  return sum;
}

int main(void) {
  const size_t each = (size_t)Rows * Stride;
  int threads = 1;
#pragma omp parallel
#pragma omp single
  threads = omp_get_num_threads();
  if (threads > MostThreads)
    threads = MostThreads;
  all = malloc((size_t)threads * each * sizeof *all);
  for (size_t i = 0; i < (size_t)threads * each; i++)
    all[i] = 1;
#pragma omp parallel num_threads(threads)
  {
    int *const own = all + (size_t)omp_get_thread_num() * each;
    const long before = (long)Rows * Width;
    for (int time = 0; time < 3; time++)
      expectInteger("sum before", omp_get_thread_num(), before, sumOfRows(own, Rows));
    for (int update = 0; update < Updates; update++) {
#pragma omp atomic
      own[update * 7 % Rows * Stride + update * 11 % Width] += 1;
      expectInteger("sum behind an update", update, before + update + 1, sumOfRows(own, Rows));
    }
  }
  free(all);
  return finish();
}
