// heat3d.mpi.c: heat conduction, a slab of planes in each process. A step computes the first and
// the last plane, sends them, and computes the others meanwhile.
//
// Slabs, not bricks: with few processes these are the fewest messages, and their planes are
// contiguous.
#include "heat3d.h"
#include <mpi.h>

struct Slab {
  int inside, first, last; ///< Own planes: first to last.
  int lower, upper;        ///< Neighbours, MPI_PROC_NULL where there is none.
  double *now, *next;      ///< Planes first - 1 to last + 1.
};

static double *planeOf(const struct Slab *s, double *state, int plane) {
  return state + (size_t)(plane - s->first + 1) * planePoints(s->inside);
}

static struct Slab makeSlab(int inside) {
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct Slab s = {.inside = inside,
                   .first = 1 + (int)partBegin(inside, ranks, rank),
                   .last = (int)partBegin(inside, ranks, rank + 1),
                   .lower = rank > 0 ? rank - 1 : MPI_PROC_NULL,
                   .upper = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL};
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
  enum { Down, Up };
  const int points = (int)planePoints(s->inside);
  MPI_Request requests[4];
  MPI_Irecv(planeOf(s, s->next, s->first - 1), points, MPI_DOUBLE, s->lower, Up, MPI_COMM_WORLD,
            &requests[0]);
  MPI_Irecv(planeOf(s, s->next, s->last + 1), points, MPI_DOUBLE, s->upper, Down, MPI_COMM_WORLD,
            &requests[1]);
  compute(s, s->first, s->first);
  MPI_Isend(planeOf(s, s->next, s->first), points, MPI_DOUBLE, s->lower, Down, MPI_COMM_WORLD,
            &requests[2]);
  if (s->last > s->first)
    compute(s, s->last, s->last);
  MPI_Isend(planeOf(s, s->next, s->last), points, MPI_DOUBLE, s->upper, Up, MPI_COMM_WORLD,
            &requests[3]);
  compute(s, s->first + 1, s->last - 1);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
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
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = wallSeconds();
  iterate(&s, arguments.rounds);
  MPI_Barrier(MPI_COMM_WORLD);
  const double seconds = wallSeconds() - start;

  double sums[2] = {0, 0}, total[2];
  for (int k = s.first; k <= s.last; k++)
    addPlane(s.inside, k, planeOf(&s, s.now, k), sums);
  MPI_Reduce(sums, total, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (s.lower == MPI_PROC_NULL)
    report(arguments.rounds, seconds, total, 2);
  free(s.now);
  free(s.next);
  MPI_Finalize();
  return 0;
}
