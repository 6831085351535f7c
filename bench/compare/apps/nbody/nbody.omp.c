// nbody.omp.c: gravitation, one persistent parallel region, tiles dealt statically.
#include "nbody.h"

struct Bodies {
  int tiles;
  struct Tile *all;
  struct Motion *motion;
};

static struct Bodies makeBodies(int tiles) {
  struct Bodies b = {tiles, allocate((size_t)tiles, sizeof(struct Tile)),
                     allocate((size_t)tiles, sizeof(struct Motion))};
#pragma omp parallel for schedule(static)
  for (int tile = 0; tile < tiles; tile++)
    makeTile(tiles, tile, &b.all[tile], &b.motion[tile]);
  return b;
}

static void iterate(const struct Bodies *b, int rounds) {
#pragma omp parallel
  for (int round = 0; round < rounds; round++) {
#pragma omp for schedule(static)
    for (int tile = 0; tile < b->tiles; tile++)
      accelerate(b->tiles, b->all, tile, &b->motion[tile]);
#pragma omp for schedule(static)
    for (int tile = 0; tile < b->tiles; tile++)
      move(&b->all[tile], &b->motion[tile]);
  }
}

int main(int argc, char **argv) {
  const struct Arguments arguments = parseArguments(argc, argv, defaultRounds);
  const struct Bodies b = makeBodies(tileCounts[arguments.size]);
  iterate(&b, 1);
  const double start = wallSeconds();
  iterate(&b, arguments.rounds);
  const double seconds = wallSeconds() - start;

  double sums[2] = {0, 0};
#pragma omp parallel for schedule(static) reduction(+ : sums)
  for (int tile = 0; tile < b.tiles; tile++)
    addTile(&b.all[tile], &b.motion[tile], sums);
  report(arguments.rounds, seconds, sums, 2);
  return 0;
}
