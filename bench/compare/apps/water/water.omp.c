// water.omp.c: molecular dynamics, one persistent parallel region. A thread adds up forces in an
// array of its own, then adds them to the shared ones, group by group under the group's lock.
#include "water.h"
#include "../openmp.h"

struct System {
  int lattice, count;
  Vector *positions, *velocities, *forces;
  omp_lock_t *locks; ///< Of groups of forces.
};

static struct System makeSystem(int lattice) {
  const int count = countMolecules(lattice);
  const size_t n = (size_t)count;
  struct System s = {lattice,
                     count,
                     allocate(n, sizeof(Vector)),
                     allocate(n, sizeof(Vector)),
                     allocate(n, sizeof(Vector)),
                     allocate(n / GroupMolecules, sizeof(omp_lock_t))};
#pragma omp parallel for schedule(static)
  for (int i = 0; i < count; i++) {
    placeMolecule(lattice, i, s.positions[i], s.velocities[i]);
    memset(s.forces[i], 0, sizeof s.forces[i]);
  }
  for (int group = 0; group < count / GroupMolecules; group++)
    omp_init_lock(&s.locks[group]);
  return s;
}

/// Adds one thread's forces, beginning with the groups that it works on itself, so that threads are
/// at different places.
static void addForces(const struct System *s, const Vector *own) {
  const int groups = s->count / GroupMolecules;
  const int first = (int)partBegin(groups, omp_get_num_threads(), omp_get_thread_num());
  for (int k = 0; k < groups; k++) {
    const int group = (first + k) % groups;
    const double *const from = own[group * GroupMolecules];
    double *const to = s->forces[group * GroupMolecules];
    int isTouched = 0;
    for (int i = 0; i < 3 * GroupMolecules; i++)
      isTouched |= from[i] != 0;
    if (!isTouched)
      continue;
    omp_set_lock(&s->locks[group]);
    for (int i = 0; i < 3 * GroupMolecules; i++)
      to[i] += from[i];
    omp_unset_lock(&s->locks[group]);
  }
}

/// Returns the potential energy before the last step.
static double iterate(const struct System *s, int rounds) {
  double potential = 0;
#pragma omp parallel
  {
    Vector *const own = allocate((size_t)s->count, sizeof(Vector));
    for (int round = 0; round < rounds; round++) {
      memset(own, 0, (size_t)s->count * sizeof(Vector));
#pragma omp single
      potential = 0;
#pragma omp for schedule(static) reduction(+ : potential)
      for (int i = 0; i < s->count; i++)
        potential += pairForces(s->lattice, i, s->positions, own);
      addForces(s, own);
#pragma omp barrier
#pragma omp for schedule(static)
      for (int i = 0; i < s->count; i++) {
        moveMolecule(s->lattice, s->forces[i], s->positions[i], s->velocities[i]);
        memset(s->forces[i], 0, sizeof s->forces[i]);
      }
    }
    free(own);
  }
  return potential;
}

int main(int argc, char **argv) {
  const struct Arguments arguments = parseArguments(argc, argv, defaultRounds);
  const struct System s = makeSystem(lattices[arguments.size]);
  iterate(&s, 1);
  const double start = wallSeconds();
  const double potential = iterate(&s, arguments.rounds);
  const double seconds = wallSeconds() - start;

  double kinetic = 0;
#pragma omp parallel for schedule(static) reduction(+ : kinetic)
  for (int i = 0; i < s.count; i++)
    kinetic += kineticEnergy(s.velocities[i]);
  report(arguments.rounds, seconds, (double[]){potential, kinetic}, 2);
  return 0;
}
