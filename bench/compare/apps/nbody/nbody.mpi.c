// nbody.mpi.c: gravitation, a part of the tiles in each process; all get the others' after each
// step.
#include "nbody.h"
#include <mpi.h>

struct Bodies {
  int tiles, first, last; ///< Own tiles: first to last - 1.
  struct Tile *all;
  struct Motion *motion;  ///< Of own tiles.
  int *counts, *begins;   ///< Tiles of each process.
  MPI_Datatype positions; ///< Of a tile: all but the masses, which do not change.
};

static struct Bodies makeBodies(int tiles) {
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct Bodies b = {.tiles = tiles,
                     .first = (int)partBegin(tiles, ranks, rank),
                     .last = (int)partBegin(tiles, ranks, rank + 1),
                     .all = allocate((size_t)tiles, sizeof(struct Tile)),
                     .counts = allocate((size_t)ranks, sizeof(int)),
                     .begins = allocate((size_t)ranks, sizeof(int))};
  b.motion = allocate((size_t)(b.last - b.first), sizeof(struct Motion));
  for (int other = 0; other < ranks; other++) {
    b.begins[other] = (int)partBegin(tiles, ranks, other);
    b.counts[other] = (int)partBegin(tiles, ranks, other + 1) - b.begins[other];
  }
  MPI_Datatype coordinates;
  MPI_Type_contiguous(3 * TileBodies, MPI_DOUBLE, &coordinates);
  MPI_Type_create_resized(coordinates, 0, sizeof(struct Tile), &b.positions);
  MPI_Type_commit(&b.positions);
  struct Motion ignored;
  for (int tile = 0; tile < tiles; tile++)
    makeTile(tiles, tile, &b.all[tile],
             tile >= b.first && tile < b.last ? &b.motion[tile - b.first] : &ignored);
  return b;
}

static void iterate(const struct Bodies *b, int rounds) {
  for (int round = 0; round < rounds; round++) {
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b->all, b->counts, b->begins, b->positions,
                   MPI_COMM_WORLD);
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
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = wallSeconds();
  iterate(&b, arguments.rounds);
  MPI_Barrier(MPI_COMM_WORLD);
  const double seconds = wallSeconds() - start;

  double sums[2] = {0, 0}, total[2];
  for (int tile = b.first; tile < b.last; tile++)
    addTile(&b.all[tile], &b.motion[tile - b.first], sums);
  MPI_Reduce(sums, total, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (b.first == 0)
    report(arguments.rounds, seconds, total, 2);
  MPI_Finalize();
  return 0;
}
