// barnes.mpi.c: gravitation by a tree, a part of the bodies in each process. All get the others'
// positions and build the whole tree themselves: that takes less time than to send it.
#include "barnes.h"
#include <mpi.h>

struct System {
  int count, first, last;      ///< Own bodies: first to last - 1.
  struct Body *bodies;         ///< All.
  struct Velocity *velocities; ///< Of own bodies.
  struct Tree tree;
  int *counts, *begins;   ///< Bodies of each process.
  MPI_Datatype positions; ///< Of a body: all but its mass, which does not change.
};

static struct System makeSystem(int count) {
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct System s = {.count = count,
                     .first = (int)partBegin(count, ranks, rank),
                     .last = (int)partBegin(count, ranks, rank + 1),
                     .bodies = allocate((size_t)count, sizeof(struct Body)),
                     .tree = makeTree(count),
                     .counts = allocate((size_t)ranks, sizeof(int)),
                     .begins = allocate((size_t)ranks, sizeof(int))};
  s.velocities = allocate((size_t)(s.last - s.first), sizeof(struct Velocity));
  for (int other = 0; other < ranks; other++) {
    s.begins[other] = (int)partBegin(count, ranks, other);
    s.counts[other] = (int)partBegin(count, ranks, other + 1) - s.begins[other];
  }
  MPI_Datatype coordinates;
  MPI_Type_contiguous(3, MPI_DOUBLE, &coordinates);
  MPI_Type_create_resized(coordinates, 0, sizeof(struct Body), &s.positions);
  MPI_Type_commit(&s.positions);
  struct Velocity ignored;
  for (int i = 0; i < count; i++)
    makeBody(count, i, &s.bodies[i],
             i >= s.first && i < s.last ? &s.velocities[i - s.first] : &ignored);
  return s;
}

static void iterate(struct System *s, int rounds) {
  for (int round = 0; round < rounds; round++) {
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, s->bodies, s->counts, s->begins,
                   s->positions, MPI_COMM_WORLD);
    buildTree(&s->tree, s->bodies);
    for (int i = s->first; i < s->last; i++) {
      accelerate(&s->tree, &s->bodies[i], &s->velocities[i - s->first]);
      move(&s->bodies[i], &s->velocities[i - s->first]); // the tree has copies
    }
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const struct Arguments arguments = parseArguments(argc, argv, defaultRounds);
  struct System s = makeSystem(bodyCounts[arguments.size]);
  iterate(&s, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = wallSeconds();
  iterate(&s, arguments.rounds);
  MPI_Barrier(MPI_COMM_WORLD);
  const double seconds = wallSeconds() - start;

  double sums[2] = {0, 0}, total[2];
  for (int i = s.first; i < s.last; i++)
    addBody(&s.bodies[i], &s.velocities[i - s.first], sums);
  MPI_Reduce(sums, total, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (s.first == 0)
    report(arguments.rounds, seconds, total, 2);
  MPI_Finalize();
  return 0;
}
