// mpi.mpi.c: answers the number of processes.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0)
    printf("rounds 2\nseconds 1\nanswer %d\n", ranks);
  MPI_Finalize();
  return 0;
}
