// ep.c: pairs of normal deviates from pairs of uniform ones, counted in square rings: no shared
// data in the loop but the sums.
//
// The problem of EP in the NAS Parallel Benchmarks (RNR-94-007, 2.3.1), with its generator: x :=
// 5^13 x mod 2^46. Marsaglia, Bray: A convenient method for generating normal variables, 1964.
#include <math.h>

#include "kernel.h"

enum { Rings = 10, PairsPerBlock = 1 << 12 };

static const uint64_t Multiplier = 1220703125, Mask = (UINT64_C(1) << 46) - 1;

static double nextUniform(uint64_t *state) {
  *state = *state * Multiplier & Mask;
  return (double)*state * 0x1p-46;
}

/// The state after `steps` numbers from `state`.
static uint64_t skip(uint64_t state, uint64_t steps) {
  for (uint64_t power = Multiplier; steps; steps /= 2, power = power * power & Mask)
    if (steps & 1)
      state = state * power & Mask;
  return state;
}

int main(int argc, char **argv) {
  const int blocks = isSmall(argc, argv) ? 16 : 8000;
  long counts[Rings] = {0}, pairs = 0;
  double *sums =
      allocate(2 * (size_t)blocks,
               sizeof *sums); // by blocks, so that the order of additions is always the same
#pragma omp parallel for schedule(static) reduction(+ : counts[ : Rings], pairs)
  for (int block = 0; block < blocks; block++) {
    uint64_t state = skip(271828183, 2 * (uint64_t)block * PairsPerBlock);
    double sumX = 0, sumY = 0;
    for (int i = 0; i < PairsPerBlock; i++) {
      const double x = 2 * nextUniform(&state) - 1, y = 2 * nextUniform(&state) - 1,
                   t = x * x + y * y;
      if (t > 1)
        continue;
      const double factor = sqrt(-2 * log(t) / t), a = fabs(x * factor), b = fabs(y * factor);
      counts[(int)(a > b ? a : b)]++;
      pairs++;
      sumX += x * factor;
      sumY += y * factor;
    }
    sums[2 * block] = sumX;
    sums[2 * block + 1] = sumY;
  }
  long counted = 0;
  for (int r = 0; r < Rings; r++) {
    printf("%ld ", counts[r]);
    counted += counts[r];
  }
  printf("\n");
  const double accepted = (double)pairs / ((double)blocks * PairsPerBlock); // pi / 4
  return conclude(hashDoubles(sums, 2 * (size_t)blocks),
                  counted == pairs && fabs(accepted - 0.785398) < 0.01);
}
