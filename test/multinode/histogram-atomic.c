// A histogram of all threads in one array with atomic updates: int bins, double bins, and bins of
// bytes next to each other.
#include "report.h"
#include <omp.h>

enum { Values = 3000, Bins = 37 };

static int counts[Bins];
static double weights[Bins];
static unsigned char small[Bins];

static int binOf(int i) { return (int)((unsigned)i * 2654435761u >> 16) % Bins; }

int main(void) {
  int expectedCounts[Bins] = {0};
  double expectedWeights[Bins] = {0};
  for (int i = 0; i < Values; i++) {
    expectedCounts[binOf(i)]++;
    expectedWeights[binOf(i)] += 0.5 * i;
  }
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < Values; i++) {
      const int bin = binOf(i);
#pragma omp atomic
      counts[bin]++;
#pragma omp atomic update
      weights[bin] += 0.5 * i;
#pragma omp atomic
      small[bin] += 1;
    }
    for (int bin = 0; bin < Bins; bin++) {
      expectInteger("count", bin, expectedCounts[bin], counts[bin]);
      expectReal("weight", bin, expectedWeights[bin], weights[bin]);
      expectInteger("byte", bin, (unsigned char)expectedCounts[bin], small[bin]);
    }
  }
  return finish();
}
