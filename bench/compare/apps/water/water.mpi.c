// water.mpi.c: molecular dynamics, a part of the molecules in each process. Positions are gathered,
// each process computes the pairs of its molecules, and the forces are added up where they are
// needed.
#include "water.h"
#include "../mpi_program.h"

struct System {
  int lattice, count;
  int first, own;                 ///< Molecules of this process.
  Vector *positions, *forces;     ///< Of all.
  Vector *velocities, *ownForces; ///< Of own ones.
  struct Parts parts;             ///< In coordinates.
};

static struct System makeSystem(int lattice) {
  const struct Process me = thisProcess();
  struct System s = {.lattice = lattice, .count = countMolecules(lattice)};
  s.parts = makeParts(s.count, me.ranks, 3);
  s.first = s.parts.begins[me.rank] / 3;
  s.own = s.parts.counts[me.rank] / 3;
  s.positions = allocate((size_t)s.count, sizeof(Vector));
  s.forces = allocate((size_t)s.count, sizeof(Vector));
  s.velocities = allocate((size_t)s.own, sizeof(Vector));
  s.ownForces = allocate((size_t)s.own, sizeof(Vector));
  for (int i = 0; i < s.own; i++)
    placeMolecule(lattice, s.first + i, s.positions[s.first + i], s.velocities[i]);
  return s;
}

/// Returns the potential energy before the last step.
static double iterate(const struct System *s, int rounds) {
  double potential = 0;
  for (int round = 0; round < rounds; round++) {
    gatherParts(s->positions, s->parts, MPI_DOUBLE);
    memset(s->forces, 0, (size_t)s->count * sizeof(Vector));
    potential = 0;
    for (int i = s->first; i < s->first + s->own; i++)
      potential += pairForces(s->lattice, i, s->positions, s->forces);
    MPI_Reduce_scatter(s->forces, s->ownForces, s->parts.counts, MPI_DOUBLE, MPI_SUM,
                       MPI_COMM_WORLD);
    sumUp(&potential, 1);
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
  const double start = secondsTogether();
  const double potential = iterate(&s, arguments.rounds);
  const double seconds = secondsTogether() - start;

  double kinetic = 0, total;
  for (int i = 0; i < s.own; i++)
    kinetic += kineticEnergy(s.velocities[i]);
  MPI_Reduce(&kinetic, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (s.first == 0)
    report(arguments.rounds, seconds, (double[]){potential, total}, 2);
  MPI_Finalize();
  return 0;
}
