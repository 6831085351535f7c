// nbody.mpi.c: gravitation, a part of the tiles in each process; all get the others' after each
// step.
#include "nbody.h"
#include "../mpi_program.h"

struct Bodies {
  int tiles, first, last; ///< Own tiles: first to last - 1.
  struct Tile *all;
  struct Motion *motion; ///< Of own tiles.
  struct Parts parts;
  MPI_Datatype positions; ///< Of a tile: all but the masses, which do not change.
};

static struct Bodies makeBodies(int tiles) {
  const struct Process me = thisProcess();
  struct Bodies b = {.tiles = tiles,
                     .all = allocate((size_t)tiles, sizeof(struct Tile)),
                     .parts = makeParts(tiles, me.ranks, 1),
                     .positions = makeLeadingType(3 * TileBodies, sizeof(struct Tile))};
  b.first = b.parts.begins[me.rank];
  b.last = b.first + b.parts.counts[me.rank];
  b.motion = allocate((size_t)(b.last - b.first), sizeof(struct Motion));
  struct Motion ignored;
  for (int tile = 0; tile < tiles; tile++)
    makeTile(tiles, tile, &b.all[tile],
             tile >= b.first && tile < b.last ? &b.motion[tile - b.first] : &ignored);
  return b;
}

static void iterate(const struct Bodies *b, int rounds) {
  for (int round = 0; round < rounds; round++) {
    gatherParts(b->all, b->parts, b->positions);
    for (int tile = b->first; tile < b->last; tile++)
      accelerate(b->tiles, b->all, tile, &b->motion[tile - b->first]);
    for (int tile = b->first; tile < b->last; tile++)
      move(&b->all[tile], &b->motion[tile - b->first]);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const struct Arguments arguments = parseArguments(argc, argv, defaultRounds);
  const struct Bodies b = makeBodies(tileCounts[arguments.size]);
  iterate(&b, 1);
  const double start = secondsTogether();
  iterate(&b, arguments.rounds);
  const double seconds = secondsTogether() - start;

  double sums[2] = {0, 0};
  for (int tile = b.first; tile < b.last; tile++)
    addTile(&b.all[tile], &b.motion[tile - b.first], sums);
  reportSums(arguments.rounds, seconds, sums, 2);
  MPI_Finalize();
  return 0;
}
