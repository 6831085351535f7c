// radix.c: radix sort of pairs of a 32-bit key and a 32-bit value, least significant byte first:
// 256 streams of writes.
//
// (Knuth: The art of computer programming 3, 5.2.5, algorithm R, with counting as in Cormen et
// al., 8.3.) Each thread has counters of its own in a shared table; sorting is stable, so equal
// keys keep the order of their values.
#include <omp.h>

#include "kernel.h"

enum { Digits = 256 };

struct Pair {
  uint32_t key, value;
};

typedef int Counters[Digits];

static void pass(const struct Pair *from, struct Pair *to, int n, int shift, Counters *places) {
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    int *mine = places[me];
    memset(mine, 0, sizeof(Counters));
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++)
      mine[from[i].key >> shift & (Digits - 1)]++;
#pragma omp single
    {
      int place = 0;
      for (int d = 0; d < Digits; d++)
        for (int t = 0; t < threads; t++) {
          const int here = places[t][d];
          places[t][d] = place;
          place += here;
        }
    }
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++)
      to[mine[from[i].key >> shift & (Digits - 1)]++] = from[i];
  }
}

int main(int argc, char **argv) {
  const int small = isSmall(argc, argv), n = small ? 1 << 12 : 1 << 21, rounds = small ? 1 : 10;
  struct Pair *pairs = allocate((size_t)n, sizeof *pairs),
              *other = allocate((size_t)n, sizeof *other);
  Counters *places = allocate((size_t)omp_get_max_threads(), sizeof *places);
  int wrong = 0;
  for (int round = 0; round < rounds; round++) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i++)
      pairs[i] = (struct Pair){
          (uint32_t)(mix((uint64_t)i + (uint64_t)round) % (uint64_t)(n / 2)) * 977u, (uint32_t)i};
    for (int shift = 0; shift < 32; shift += 8) {
      pass(pairs, other, n, shift, places);
      struct Pair *const swapped = pairs;
      pairs = other;
      other = swapped;
    }
#pragma omp parallel for schedule(static) reduction(+ : wrong)
    for (int i = 1; i < n; i++)
      wrong += pairs[i - 1].key > pairs[i].key ||
               (pairs[i - 1].key == pairs[i].key && pairs[i - 1].value > pairs[i].value);
  }
  return conclude(hashWords((const uint32_t *)pairs, 2 * (size_t)n), wrong == 0);
}
