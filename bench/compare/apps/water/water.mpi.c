// water.mpi.c: molecular dynamics, a part of the molecules in each process. Positions are gathered,
// each process computes the pairs of its molecules, and the forces are added up where they are
// needed.
#include "water.h"
#include <mpi.h>

struct System {
  int lattice, count;
  int first, own;                 ///< Molecules of this process.
  Vector *positions, *forces;     ///< Of all.
  Vector *velocities, *ownForces; ///< Of own ones.
  int *counts, *begins;           ///< Coordinates of each process.
};

static struct System makeSystem(int lattice) {
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct System s = {.lattice = lattice, .count = countMolecules(lattice)};
  s.first = (int)partBegin(s.count, ranks, rank);
  s.own = (int)partBegin(s.count, ranks, rank + 1) - s.first;
  s.positions = allocate((size_t)s.count, sizeof(Vector));
  s.forces = allocate((size_t)s.count, sizeof(Vector));
  s.velocities = allocate((size_t)s.own, sizeof(Vector));
  s.ownForces = allocate((size_t)s.own, sizeof(Vector));
  s.counts = allocate((size_t)ranks, sizeof(int));
  s.begins = allocate((size_t)ranks, sizeof(int));
  for (int other = 0; other < ranks; other++) {
    s.begins[other] = 3 * (int)partBegin(s.count, ranks, other);
    s.counts[other] = 3 * (int)partBegin(s.count, ranks, other + 1) - s.begins[other];
  }
  for (int i = 0; i < s.own; i++)
    placeMolecule(lattice, s.first + i, s.positions[s.first + i], s.velocities[i]);
  return s;
}

/// Returns the potential energy before the last step.
static double iterate(const struct System *s, int rounds) {
  double potential = 0;
  for (int round = 0; round < rounds; round++) {
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, s->positions, s->counts, s->begins,
                   MPI_DOUBLE, MPI_COMM_WORLD);
    memset(s->forces, 0, (size_t)s->count * sizeof(Vector));
    potential = 0;
    for (int i = s->first; i < s->first + s->own; i++)
      potential += pairForces(s->lattice, i, s->positions, s->forces);
    MPI_Reduce_scatter(s->forces, s->ownForces, s->counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &potential, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < s->own; i++)
      moveMolecule(s->lattice, s->ownForces[i], s->positions[s->first + i], s->velocities[i]);
  }
  return potential;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const struct Arguments arguments = parseArguments(argc, argv, defaultRounds);
  const struct System s = makeSystem(lattices[arguments.size]);
  iterate(&s, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = wallSeconds();
  const double potential = iterate(&s, arguments.rounds);
  MPI_Barrier(MPI_COMM_WORLD);
  const double seconds = wallSeconds() - start;

  double kinetic = 0, total;
  for (int i = 0; i < s.own; i++)
    kinetic += kineticEnergy(s.velocities[i]);
  MPI_Reduce(&kinetic, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (s.first == 0)
    report(arguments.rounds, seconds, (double[]){potential, total}, 2);
  MPI_Finalize();
  return 0;
}
