// heat3d.mpi.c: heat conduction, a slab of planes in each process. A step computes the first and
// the last plane, sends them, and computes the others meanwhile.
//
// Slabs, not bricks: with few processes these are the fewest messages, and their planes are
// contiguous.
#include "heat3d.h"
#include "../mpi_program.h"

struct Slab {
  int inside, first, last; ///< Own planes: first to last.
  struct Process me;
  double *now, *next; ///< Planes first - 1 to last + 1.
};

static double *planeOf(const struct Slab *s, double *state, int plane) {
  return state + (size_t)(plane - s->first + 1) * planePoints(s->inside);
}

static struct Slab makeSlab(int inside) {
  const struct Process me = thisProcess();
  struct Slab s = {.inside = inside,
                   .first = 1 + (int)partBegin(inside, me.ranks, me.rank),
                   .last = (int)partBegin(inside, me.ranks, me.rank + 1),
                   .me = me};
  const size_t points = (size_t)(s.last - s.first + 3) * planePoints(inside);
  s.now = allocate(points, sizeof(double));
  s.next = allocate(points, sizeof(double));
  for (int k = s.first - 1; k <= s.last + 1; k++) {
    fillPlane(inside, k, planeOf(&s, s.now, k));
    fillPlane(inside, k, planeOf(&s, s.next, k));
  }
  return s;
}

static void compute(const struct Slab *s, int first, int last) {
  const size_t plane = planePoints(s->inside);
  for (int k = first; k <= last; k++) {
    const double *const same = planeOf(s, s->now, k);
    stepPlane(s->inside, planeOf(s, s->next, k), same - plane, same, same + plane);
  }
}

static void step(const struct Slab *s) {
  struct Exchange exchange =
      beginExchange(s->me, (int)planePoints(s->inside), planeOf(s, s->next, s->first - 1),
                    planeOf(s, s->next, s->last + 1));
  compute(s, s->first, s->first);
  sendFirst(&exchange, planeOf(s, s->next, s->first));
  if (s->last > s->first)
    compute(s, s->last, s->last);
  sendLast(&exchange, planeOf(s, s->next, s->last));
  compute(s, s->first + 1, s->last - 1);
  endExchange(&exchange);
}

static void iterate(struct Slab *s, int rounds) {
  for (int round = 0; round < rounds; round++) {
    step(s);
    double *const kept = s->now;
    s->now = s->next;
    s->next = kept;
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const struct Arguments arguments = parseArguments(argc, argv, defaultRounds);
  struct Slab s = makeSlab(insides[arguments.size]);
  iterate(&s, 1);
  const double start = secondsTogether();
  iterate(&s, arguments.rounds);
  const double seconds = secondsTogether() - start;

  double sums[2] = {0, 0};
  for (int k = s.first; k <= s.last; k++)
    addPlane(s.inside, k, planeOf(&s, s.now, k), sums);
  reportSums(arguments.rounds, seconds, sums, 2);
  free(s.now);
  free(s.next);
  MPI_Finalize();
  return 0;
}
