// is.c: counting sort of integers: each thread counts its keys, prefix sums over threads and values
// give the places, and each thread writes its keys there. (Knuth: The art of computer programming
// 3, 5.2, algorithm D; the problem is that of IS in the NAS Parallel Benchmarks,
// RNR-94-007, 2.3.4.)
#include <omp.h>

#include "kernel.h"

static uint32_t *keys, *sorted;
static int *counts; // [thread][value]

static void makeKeys(int n, uint32_t values) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++) { // the mean of four, as in the definition: most keys in the middle
    uint64_t sum = 0;
    for (uint64_t k = 0; k < 4; k++)
      sum += mix(4 * (uint64_t)i + k) & (values - 1);
    keys[i] = (uint32_t)(sum / 4);
  }
}

static void sortKeys(int n, int values) {
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    int *mine = counts + (size_t)me * (size_t)values;
    for (int v = 0; v < values; v++)
      mine[v] = 0;
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++)
      mine[keys[i]]++;
#pragma omp single
    {
      int place = 0;
      for (int v = 0; v < values; v++)
        for (int t = 0; t < threads; t++) {
          const int here = counts[(size_t)t * (size_t)values + (size_t)v];
          counts[(size_t)t * (size_t)values + (size_t)v] = place;
          place += here;
        }
    }
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++)
      sorted[mine[keys[i]]++] = keys[i];
  }
}

int main(int argc, char **argv) {
  const int small = isSmall(argc, argv), n = small ? 1 << 13 : 1 << 21,
            values = small ? 1 << 9 : 1 << 15;
  const int rounds = small ? 2 : 40;
  keys = allocate((size_t)n, sizeof *keys);
  sorted = allocate((size_t)n, sizeof *sorted);
  counts = allocate((size_t)values * (size_t)omp_get_max_threads(), sizeof *counts);
  makeKeys(n, (uint32_t)values);
  for (int round = 0; round < rounds; round++) {
    keys[round] = (uint32_t)round; // as in the definition, so that rounds differ
    keys[n / 2 + round] = (uint32_t)(values - round - 1);
    sortKeys(n, values);
  }
  int wrong = 0;
  uint64_t before = 0, after = 0;
#pragma omp parallel for schedule(static) reduction(+ : wrong, before, after)
  for (int i = 0; i < n; i++) {
    wrong += i > 0 && sorted[i - 1] > sorted[i];
    before += mix(keys[i]);
    after += mix(sorted[i]);
  }
  return conclude(hashWords(sorted, (size_t)n), wrong == 0 && before == after);
}
