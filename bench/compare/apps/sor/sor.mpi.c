// sor.mpi.c: red-black over-relaxation, a band of rows in each process. A sweep relaxes the first
// and the last row, sends them, and relaxes the others meanwhile.
#include "sor.h"
#include <mpi.h>

struct Band {
  struct Problem problem;
  int first, last;        ///< Own rows, of the whole grid.
  int upper, lower;       ///< Neighbours, MPI_PROC_NULL where there is none.
  double *cells[Colours]; ///< Rows first - 1 to last + 1.
};

static double *rowOf(const struct Band *band, int colour, int row) {
  return band->cells[colour] + (size_t)(row - band->first + 1) * (size_t)band->problem.width;
}

static struct Band makeBand(struct Problem problem) {
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct Band band = {.problem = problem};
  band.first = 1 + (int)partBegin(problem.rows, ranks, rank);
  band.last = (int)partBegin(problem.rows, ranks, rank + 1);
  band.upper = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  band.lower = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  for (int colour = 0; colour < Colours; colour++) {
    band.cells[colour] =
        allocate((size_t)(band.last - band.first + 3) * (size_t)problem.width, sizeof(double));
    for (int row = band.first - 1; row <= band.last + 1; row++)
      fillRow(problem, colour, row, rowOf(&band, colour, row));
  }
  return band;
}

static void relax(const struct Band *band, int colour, int first, int last) {
  for (int row = first; row <= last; row++)
    relaxRow(band->problem.width, oddColumn(colour, row), rowOf(band, colour, row),
             rowOf(band, !colour, row - 1), rowOf(band, !colour, row),
             rowOf(band, !colour, row + 1));
}

static void sweep(const struct Band *band, int colour) {
  enum { Up, Down };
  const int width = band->problem.width;
  MPI_Request requests[4];
  MPI_Irecv(rowOf(band, colour, band->first - 1), width, MPI_DOUBLE, band->upper, Down,
            MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(rowOf(band, colour, band->last + 1), width, MPI_DOUBLE, band->lower, Up, MPI_COMM_WORLD,
            &requests[1]);
  relax(band, colour, band->first, band->first);
  MPI_Isend(rowOf(band, colour, band->first), width, MPI_DOUBLE, band->upper, Up, MPI_COMM_WORLD,
            &requests[2]);
  if (band->last > band->first)
    relax(band, colour, band->last, band->last);
  MPI_Isend(rowOf(band, colour, band->last), width, MPI_DOUBLE, band->lower, Down, MPI_COMM_WORLD,
            &requests[3]);
  relax(band, colour, band->first + 1, band->last - 1);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static void iterate(const struct Band *band, int rounds) {
  for (int round = 0; round < rounds; round++) {
    sweep(band, Red);
    sweep(band, Black);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const struct Arguments arguments = parseArguments(argc, argv, defaultRounds);
  const struct Band band = makeBand(problems[arguments.size]);
  iterate(&band, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = wallSeconds();
  iterate(&band, arguments.rounds);
  MPI_Barrier(MPI_COMM_WORLD);
  const double seconds = wallSeconds() - start;

  double sums[2] = {0, 0}, total[2];
  for (int row = band.first; row <= band.last; row++)
    for (int colour = 0; colour < Colours; colour++)
      addRow(band.problem, colour, row, rowOf(&band, colour, row), sums);
  MPI_Reduce(sums, total, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (band.upper == MPI_PROC_NULL)
    report(arguments.rounds, seconds, total, 2);
  for (int colour = 0; colour < Colours; colour++)
    free(band.cells[colour]);
  MPI_Finalize();
  return 0;
}
