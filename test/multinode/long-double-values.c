// long double and complex values: 10 bytes stored of 16, and pairs of 8; neighbours belong to other
// threads.
#include "report.h"
#include <complex.h>
#include <omp.h>

enum { Length = 300 };

static long double wide[Length];
static double complex pairs[Length];
static float complex smallPairs[Length];

int main(void) {
  for (int round = 1; round <= 5; round++) {
#pragma omp parallel
    {
#pragma omp for schedule(static, 1)
      for (int i = 0; i < Length; i++) {
        wide[i] = (long double)i + 1.0L / 1024 * round;
        pairs[i] = i + round * I;
        smallPairs[i] = (float)round + (float)i * I;
      }
#pragma omp for schedule(static, 7)
      for (int i = 0; i < Length; i++) {
        wide[i] *= 2;
        pairs[i] *= I;
        smallPairs[i] += 1;
      }
    }
    long double sum = 0, expected = 0;
    for (int i = 0; i < Length; i++) {
      sum += wide[i];
      expected += 2 * ((long double)i + 1.0L / 1024 * round);
      expectReal("real part", i, -round, creal(pairs[i]));
      expectReal("imaginary part", i, i, cimag(pairs[i]));
      expectReal("small real part", i, round + 1, crealf(smallPairs[i]));
      expectReal("small imaginary part", i, i, cimagf(smallPairs[i]));
    }
    expectReal("sum of long doubles", round, (double)expected, (double)sum);
  }
  return finish();
}
