// ep.mpi.c: Gaussian deviates; one reduction for each round.
#include "ep.h"
#include <mpi.h>

static struct Tally count(int size, int round) {
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const long n = batches[size];
  struct Tally sums = {0};
  for (long batch = partBegin(n, ranks, rank); batch < partBegin(n, ranks, rank + 1); batch++)
    addBatch(round * n + batch, &sums);
  MPI_Allreduce(MPI_IN_PLACE, &sums, sizeof sums / sizeof(double), MPI_DOUBLE, MPI_SUM,
                MPI_COMM_WORLD);
  return sums;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const struct Arguments arguments = parseArguments(argc, argv, defaultRounds);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct Tally tally = count(arguments.size, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = wallSeconds();
  for (int round = 1; round <= arguments.rounds; round++)
    tally = count(arguments.size, round);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    reportTally(arguments.rounds, wallSeconds() - start, &tally);
  MPI_Finalize();
  return 0;
}
