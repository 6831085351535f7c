// is.omp.c: sorting by buckets. Threads count their keys, put them into the shared array by bucket,
// and sort the buckets that begin in their part of it.
#include "is.h"
#include "../openmp.h"

struct Sorter {
  struct Problem problem;
  uint32_t *keys, *bucketed, *sorted;
  int (*counts)[Buckets]; ///< Of each thread.
};

static struct Sorter makeSorter(struct Problem problem) {
  const size_t n = (size_t)problem.keys;
  struct Sorter s = {problem, allocate(n, sizeof(uint32_t)), allocate(n, sizeof(uint32_t)),
                     allocate(n, sizeof(uint32_t)), NULL};
  s.counts = allocate((size_t)omp_get_max_threads(), sizeof *s.counts);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < problem.keys; i++) {
    s.keys[i] = keyOf(problem, i);
    s.bucketed[i] = s.sorted[i] = 0;
  }
  return s;
}

/// Sets begins[bucket] to where the bucket begins, and places[bucket] to where in it the keys of
/// thread `me` go.
static void placeKeys(const struct Sorter *s, int me, int threads, int begins[Buckets + 1],
                      int places[Buckets]) {
  int place = 0;
  for (int bucket = 0; bucket < Buckets; bucket++) {
    begins[bucket] = place;
    for (int thread = 0; thread < threads; thread++) {
      if (thread == me)
        places[bucket] = place;
      place += s->counts[thread][bucket];
    }
  }
  begins[Buckets] = place;
}

/// Called by all threads.
static void sortKeys(const struct Sorter *s) {
  const int me = omp_get_thread_num(), threads = omp_get_num_threads(), n = s->problem.keys;
  int counts[Buckets] = {0}, begins[Buckets + 1], places[Buckets];
#pragma omp for schedule(static) nowait
  for (int i = 0; i < n; i++)
    counts[bucketOf(s->problem, s->keys[i])]++;
  memcpy(s->counts[me], counts, sizeof counts);
#pragma omp barrier
  placeKeys(s, me, threads, begins, places);
#pragma omp for schedule(static)
  for (int i = 0; i < n; i++) {
    const uint32_t key = s->keys[i];
    s->bucketed[places[bucketOf(s->problem, key)]++] = key;
  }
  const long first = partBegin(n, threads, me), end = partBegin(n, threads, me + 1);
  for (int bucket = 0; bucket < Buckets; bucket++)
    if (begins[bucket] >= first && begins[bucket] < end) {
      const uint32_t *const keys = s->bucketed + begins[bucket];
      const int length = begins[bucket + 1] - begins[bucket];
      sortBucket(s->problem, bucket, 1, &keys, &length, s->sorted + begins[bucket]);
    }
}

static void iterate(const struct Sorter *s, int rounds) {
#pragma omp parallel
  for (int round = 0; round < rounds; round++) {
#pragma omp single
    {
      s->keys[round] = lowKey(round);
      s->keys[s->problem.keys - 1 - round] = highKey(s->problem, round);
    }
    sortKeys(s);
  }
}

int main(int argc, char **argv) {
  const struct Arguments arguments = parseArguments(argc, argv, defaultRounds);
  const struct Sorter s = makeSorter(problems[arguments.size]);
  iterate(&s, 1);
  const double start = wallSeconds();
  iterate(&s, arguments.rounds);
  const double seconds = wallSeconds() - start;
  double sum = 0, wrong = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum, wrong)
  for (int i = 0; i < s.problem.keys; i++) {
    sum += keyAnswer(i, s.sorted[i]);
    wrong += i > 0 && s.sorted[i - 1] > s.sorted[i];
  }
  report(arguments.rounds, seconds, (double[]){sum, wrong}, 2);
  return 0;
}
