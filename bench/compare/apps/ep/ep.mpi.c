// ep.mpi.c: Gaussian deviates; one reduction for each round.
#include "ep.h"
#include "../mpi_program.h"

static struct Tally count(int size, int round) {
  const struct Process me = thisProcess();
  const long n = batches[size];
  struct Tally sums = {0};
  for (long batch = partBegin(n, me.ranks, me.rank), end = partBegin(n, me.ranks, me.rank + 1);
       batch < end; batch++)
    addBatch(round * n + batch, &sums);
  MPI_Allreduce(MPI_IN_PLACE, &sums, sizeof sums / sizeof(double), MPI_DOUBLE, MPI_SUM,
                MPI_COMM_WORLD);
  return sums;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const struct Arguments arguments = parseArguments(argc, argv, defaultRounds);
  struct Tally tally = count(arguments.size, 0);
  const double start = secondsTogether();
  for (int round = 1; round <= arguments.rounds; round++)
    tally = count(arguments.size, round);
  const double seconds = secondsTogether() - start;
  if (thisProcess().rank == 0)
    reportTally(arguments.rounds, seconds, &tally);
  MPI_Finalize();
  return 0;
}
