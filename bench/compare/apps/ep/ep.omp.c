// ep.omp.c: Gaussian deviates; nothing but the sums is shared.
#include "ep.h"

static struct Tally count(int size, int round) {
  double x = 0, y = 0, rings[Rings] = {0};
  const long n = batches[size];
#pragma omp parallel for schedule(static) reduction(+ : x, y, rings)
  for (long batch = 0; batch < n; batch++) {
    struct Tally tally = {0};
    addBatch(round * n + batch, &tally);
    x += tally.x;
    y += tally.y;
    for (int ring = 0; ring < Rings; ring++)
      rings[ring] += tally.rings[ring];
  }
  struct Tally result = {.x = x, .y = y};
  memcpy(result.rings, rings, sizeof rings);
  return result;
}

int main(int argc, char **argv) {
  const struct Arguments arguments = parseArguments(argc, argv, defaultRounds);
  struct Tally tally = count(arguments.size, 0);
  const double start = wallSeconds();
  for (int round = 1; round <= arguments.rounds; round++)
    tally = count(arguments.size, round);
  reportTally(arguments.rounds, wallSeconds() - start, &tally);
  return 0;
}
