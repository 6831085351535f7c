// ft.mpi.c: Fourier transforms, some planes y of the spectrum and some planes z of the points in
// each process, with one exchange of all with all in between. The sender transposes while it packs;
// where a block lands, it is as it must be.
#include "ft.h"
#include "../mpi_program.h"

struct Field {
  struct Process me;
  struct Plan plan;
  double decay[LongestLine];
  int first, count;                 ///< Own planes, of y and of z.
  struct Complex *spectrum, *lines; ///< [own y][x][z]
  struct Complex *packed;           ///< For each process in turn: [its z][own y][x].
  struct Complex *points;           ///< [own z][y][x]
  int *ones, *sendBegins, *receiveBegins;
  struct Parts parts; ///< Planes.
  MPI_Datatype *sendTypes, *receiveTypes;
};

static void makeTypes(struct Field *f) {
  const size_t ranks = (size_t)f->me.ranks;
  const int n = f->plan.n;
  f->ones = allocate(ranks, sizeof(int));
  f->sendBegins = allocate(ranks, sizeof(int));
  f->receiveBegins = allocate(ranks, sizeof(int));
  f->sendTypes = allocate(ranks, sizeof *f->sendTypes);
  f->receiveTypes = allocate(ranks, sizeof *f->receiveTypes);
  for (int rank = 0; rank < f->me.ranks; rank++) {
    const int theirs = f->parts.counts[rank];
    f->ones[rank] = 1;
    f->sendBegins[rank] = f->parts.begins[rank] * f->count * n * (int)sizeof(struct Complex);
    f->receiveBegins[rank] = f->parts.begins[rank] * n * (int)sizeof(struct Complex);
    MPI_Type_contiguous(2 * theirs * f->count * n, MPI_DOUBLE, &f->sendTypes[rank]);
    MPI_Type_vector(f->count, 2 * theirs * n, 2 * n * n, MPI_DOUBLE, &f->receiveTypes[rank]);
    MPI_Type_commit(&f->sendTypes[rank]);
    MPI_Type_commit(&f->receiveTypes[rank]);
  }
}

static void makeField(int n, struct Field *f) {
  f->me = thisProcess();
  f->plan = makePlan(n);
  makeDecay(n, f->decay);
  f->parts = makeParts(n, f->me.ranks, 1);
  f->first = f->parts.begins[f->me.rank];
  f->count = f->parts.counts[f->me.rank];
  makeTypes(f);
  const size_t plane = (size_t)n * (size_t)n, own = plane * (size_t)f->count;
  f->spectrum = allocate(own, sizeof(struct Complex));
  f->lines = allocate(plane, sizeof(struct Complex)); // one plane at a time
  f->packed = allocate(own, sizeof(struct Complex));
  f->points = allocate(own, sizeof(struct Complex));
  memset(f->packed, 0, own * sizeof *f->packed);
  memset(f->points, 0, own * sizeof *f->points);
  for (int i = 0; i < f->count; i++)
    fillPlane(n, f->first + i, f->spectrum + (size_t)i * plane);
}

/// Puts plane y, own plane number `own`, where it is sent from.
static void pack(const struct Field *f, int own) {
  enum { Tile = 8 };
  const int n = f->plan.n;
  for (int rank = 0; rank < f->me.ranks; rank++) {
    const int begin = f->parts.begins[rank], end = begin + f->parts.counts[rank];
    struct Complex *const block = f->packed + (size_t)begin * (size_t)f->count * (size_t)n;
    for (int tile = 0; tile < n; tile += Tile)
      for (int z = begin; z < end; z++)
        for (int x = tile; x < tile + Tile; x++)
          block[((size_t)(z - begin) * (size_t)f->count + (size_t)own) * (size_t)n + (size_t)x] =
              f->lines[(size_t)x * (size_t)n + (size_t)z];
  }
}

/// The sum of the samples of all rounds, in process 0.
static struct Complex iterate(const struct Field *f, int rounds) {
  const int n = f->plan.n;
  const size_t plane = (size_t)n * (size_t)n;
  struct Complex checksum = {0, 0};
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < f->count; i++) {
      evolvePlane(&f->plan, f->decay, f->first + i, f->spectrum + (size_t)i * plane, f->lines);
      pack(f, i);
    }
    MPI_Alltoallw(f->packed, f->ones, f->sendBegins, f->sendTypes, f->points, f->ones,
                  f->receiveBegins, f->receiveTypes, MPI_COMM_WORLD);
    for (int i = 0; i < f->count; i++)
      transformPlane(&f->plan, f->points + (size_t)i * plane);
    double sums[2] = {0, 0}, total[2] = {0, 0};
    for (int k = 0; k < Samples; k++) {
      int x, y, z;
      samplePoint(n, k, &x, &y, &z);
      if (z < f->first || z >= f->first + f->count)
        continue;
      const struct Complex point =
          f->points[(size_t)(z - f->first) * plane + (size_t)y * (size_t)n + (size_t)x];
      sums[0] += point.re;
      sums[1] += point.im;
    }
    MPI_Reduce(sums, total, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    checksum = plus(checksum, (struct Complex){total[0], total[1]});
  }
  return checksum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const struct Arguments arguments = parseArguments(argc, argv, defaultRounds);
  static struct Field field;
  makeField(edges[arguments.size], &field);
  struct Complex checksum = iterate(&field, 1);
  const double start = secondsTogether();
  checksum = plus(checksum, iterate(&field, arguments.rounds));
  const double seconds = secondsTogether() - start;
  if (field.me.rank == 0)
    report(arguments.rounds, seconds, (double[]){checksum.re, checksum.im}, 2);
  MPI_Finalize();
  return 0;
}
