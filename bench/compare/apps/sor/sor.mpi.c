// sor.mpi.c: red-black over-relaxation, a band of rows in each process. A sweep relaxes the first
// and the last row, sends them, and relaxes the others meanwhile.
#include "sor.h"
#include "../mpi_program.h"

struct Band {
  struct Problem problem;
  int first, last; ///< Own rows, of the whole grid.
  struct Process me;
  double *cells[Colours]; ///< Rows first - 1 to last + 1.
};

static double *rowOf(const struct Band *band, int colour, int row) {
  return band->cells[colour] + (size_t)(row - band->first + 1) * (size_t)band->problem.width;
}

static struct Band makeBand(struct Problem problem) {
  const struct Process me = thisProcess();
  struct Band band = {.problem = problem, .me = me};
  band.first = 1 + (int)partBegin(problem.rows, me.ranks, me.rank);
  band.last = (int)partBegin(problem.rows, me.ranks, me.rank + 1);
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
  struct Exchange exchange =
      beginExchange(band->me, band->problem.width, rowOf(band, colour, band->first - 1),
                    rowOf(band, colour, band->last + 1));
  relax(band, colour, band->first, band->first);
  sendFirst(&exchange, rowOf(band, colour, band->first));
  if (band->last > band->first)
    relax(band, colour, band->last, band->last);
  sendLast(&exchange, rowOf(band, colour, band->last));
  relax(band, colour, band->first + 1, band->last - 1);
  endExchange(&exchange);
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
  const double start = secondsTogether();
  iterate(&band, arguments.rounds);
  const double seconds = secondsTogether() - start;

  double sums[2] = {0, 0};
  for (int row = band.first; row <= band.last; row++)
    for (int colour = 0; colour < Colours; colour++)
      addRow(band.problem, colour, row, rowOf(&band, colour, row), sums);
  reportSums(arguments.rounds, seconds, sums, 2);
  for (int colour = 0; colour < Colours; colour++)
    free(band.cells[colour]);
  MPI_Finalize();
  return 0;
}
