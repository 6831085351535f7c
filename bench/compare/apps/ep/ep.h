// ep.h: the problem of ep: pairs of Gaussian deviates by the polar method, and how many of them lie
// in each square ring (the EP benchmark, NAS report RNR-94-007, 2.3.1, with another generator).
//
// bench/compare: regular, tolerance 1e-10
#ifndef OMPDSM_BENCH_COMPARE_EP_H
#define OMPDSM_BENCH_COMPARE_EP_H

#include "../program.h"

enum { Rings = 10, BatchPairs = 1 << 12 };

static const int batches[SizeClasses] = {1 << 3, 1 << 7, 1 << 10}; ///< Of a round.
static const int defaultRounds[SizeClasses] = {2, 2, 8};

struct Tally {
  double x, y; ///< Sums.
  double rings[Rings];
};

/// Adds the deviates of one batch.
static inline void addBatch(long batch, struct Tally *tally) {
  for (long i = 0; i < BatchPairs; i++) {
    const uint64_t index = 2 * (uint64_t)(batch * BatchPairs + i);
    const double x = 2 * randomUnit(index) - 1, y = 2 * randomUnit(index + 1) - 1;
    const double square = x * x + y * y;
    if (square > 1 || square == 0)
      continue;
    const double scale = sqrt(-2 * log(square) / square), gx = x * scale, gy = y * scale;
    tally->x += gx;
    tally->y += gy;
    const int ring = (int)fmax(fabs(gx), fabs(gy));
    tally->rings[ring < Rings ? ring : Rings - 1]++;
  }
}

/// The answer of the last round, whose sums are all far from 0.
static inline void reportTally(int rounds, double seconds, const struct Tally *tally) {
  double answer[Rings + 1] = {fabs(tally->x) + fabs(tally->y)};
  memcpy(answer + 1, tally->rings, sizeof tally->rings);
  report(rounds, seconds, answer, Rings + 1);
}

#endif
