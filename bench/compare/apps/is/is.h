// is.h: the problem of is: sorting of integers by buckets, as in the IS benchmark (NAS report
// RNR-94-007, 2.3.4): most keys lie in the middle, and each round changes two of them.
//
// bench/compare: regular, tolerance 0
#ifndef OMPDSM_BENCH_COMPARE_IS_H
#define OMPDSM_BENCH_COMPARE_IS_H

#include "../program.h"

enum { BucketBits = 10, Buckets = 1 << BucketBits };

struct Problem {
  int keys;
  int valueBits; ///< More than BucketBits: keys are below 1 << valueBits.
};

static const struct Problem problems[SizeClasses] = {{1 << 13, 12}, {1 << 18, 16}, {1 << 22, 18}};
static const int defaultRounds[SizeClasses] = {3, 10, 24};

/// The mean of four random numbers.
static inline uint32_t keyOf(struct Problem problem, int index) {
  uint64_t sum = 0;
  for (uint64_t k = 0; k < 4; k++)
    sum += mix(4 * (uint64_t)index + k) & ((1u << problem.valueBits) - 1);
  return (uint32_t)(sum / 4);
}

/// What round `round` sets: key number `round` and the one as far from the end.
static inline uint32_t lowKey(int round) { return (uint32_t)round; }
static inline uint32_t highKey(struct Problem problem, int round) {
  return (1u << problem.valueBits) - 1 - (uint32_t)round;
}

static inline int bucketOf(struct Problem problem, uint32_t key) {
  return (int)(key >> (problem.valueBits - BucketBits));
}

/// Sorts the keys of one bucket, which lie in `pieces` places, to `sorted`, by counting.
static inline void sortBucket(struct Problem problem, int bucket, int pieces,
                              const uint32_t *const *piece, const int *lengths, uint32_t *sorted) {
  enum { MostValues = 256 };
  const int values = 1 << (problem.valueBits - BucketBits);
  const uint32_t first = (uint32_t)bucket << (problem.valueBits - BucketBits);
  int counts[MostValues] = {0};
  for (int i = 0; i < pieces; i++)
    for (int k = 0; k < lengths[i]; k++)
      counts[piece[i][k] - first]++;
  for (int value = 0; value < values; value++)
    for (int k = 0; k < counts[value]; k++)
      *sorted++ = first + (uint32_t)value;
}

/// What a sorted key adds to the answer; exact in a double.
static inline double keyAnswer(long place, uint32_t key) {
  return (double)(mix((uint64_t)place ^ ((uint64_t)key << 32)) >> 40);
}

#endif
