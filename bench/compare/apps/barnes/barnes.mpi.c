// barnes.mpi.c: gravitation by a tree, a part of the bodies in each process. All get the others'
// positions and build the whole tree themselves: that takes less time than to send it.
#include "barnes.h"
#include "../mpi_program.h"

struct System {
  int count, first, last;      ///< Own bodies: first to last - 1.
  struct Body *bodies;         ///< All.
  struct Velocity *velocities; ///< Of own bodies.
  struct Tree tree;
  struct Parts parts;
  MPI_Datatype positions; ///< Of a body: all but its mass, which does not change.
};

static struct System makeSystem(int count) {
  const struct Process me = thisProcess();
  struct System s = {.count = count,
                     .bodies = allocate((size_t)count, sizeof(struct Body)),
                     .tree = makeTree(count),
                     .parts = makeParts(count, me.ranks, 1),
                     .positions = makeLeadingType(3, sizeof(struct Body))};
  s.first = s.parts.begins[me.rank];
  s.last = s.first + s.parts.counts[me.rank];
  s.velocities = allocate((size_t)(s.last - s.first), sizeof(struct Velocity));
  struct Velocity ignored;
  for (int i = 0; i < count; i++)
    makeBody(count, i, &s.bodies[i],
             i >= s.first && i < s.last ? &s.velocities[i - s.first] : &ignored);
  return s;
}

static void iterate(struct System *s, int rounds) {
  for (int round = 0; round < rounds; round++) {
    gatherParts(s->bodies, s->parts, s->positions);
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
  const double start = secondsTogether();
  iterate(&s, arguments.rounds);
  const double seconds = secondsTogether() - start;

  double sums[2] = {0, 0};
  for (int i = s.first; i < s.last; i++)
    addBody(&s.bodies[i], &s.velocities[i - s.first], sums);
  reportSums(arguments.rounds, seconds, sums, 2);
  MPI_Finalize();
  return 0;
}
