// Gathers and scatters through index arrays: a[i] = b[index[i]], and a permutation that all threads
// write through.
#include "report.h"
#include <omp.h>

enum { Length = 4096, Rounds = 4 };

static int permutation[Length];
static double source[Length], gathered[Length];
static float scattered[Length];
static unsigned char scatteredBytes[Length];

int main(void) {
  unsigned seed = 12345;
  for (int i = 0; i < Length; i++)
    permutation[i] = i;
  for (int i = Length - 1; i > 0; i--) {
    seed = seed * 1664525u + 1013904223u;
    const int k = (int)(seed >> 8) % (i + 1), kept = permutation[i];
    permutation[i] = permutation[k];
    permutation[k] = kept;
  }
  for (int round = 0; round < Rounds; round++) {
#pragma omp parallel
    {
#pragma omp for
      for (int i = 0; i < Length; i++)
        source[i] = 2.0 * i + round;
#pragma omp for
      for (int i = 0; i < Length; i++)
        gathered[i] = source[permutation[i]];
#pragma omp for
      for (int i = 0; i < Length; i++)
        scattered[permutation[i]] = (float)(i + round);
#pragma omp for schedule(static, 16)
      for (int i = 0; i < Length; i++)
        scatteredBytes[permutation[i]] = (unsigned char)(i + round);
    }
    long chained = 0, expected = 0;
#pragma omp parallel for reduction(+ : chained)
    for (int i = 0; i < Length; i++)
      chained += (long)gathered[permutation[permutation[i]]];
    for (int i = 0; i < Length; i++) {
      expectReal("gathered", i, 2.0 * permutation[i] + round, gathered[i]);
      expectReal("scattered", i, i + round, scattered[permutation[i]]);
      expectInteger("scattered byte", i, (unsigned char)(i + round),
                    scatteredBytes[permutation[i]]);
      expected += 2 * permutation[permutation[permutation[i]]] + round;
    }
    expectInteger("chained", round, expected, chained);
  }
  return finish();
}
