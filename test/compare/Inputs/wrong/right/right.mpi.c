// right.mpi.c: answers as right.omp.c does; every process but the first sends 3 messages of 1000
// bytes to it in each round.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  static char bytes[1000];
  const int rounds = argc == 3 ? atoi(argv[2]) : 2;
  for (int i = 0; i < 3 * rounds; i++)
    if (rank != 0)
      MPI_Send(bytes, sizeof bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    else
      for (int from = 1; from < ranks; from++)
        MPI_Recv(bytes, sizeof bytes, MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0)
    printf("rounds %d\nseconds 1\nanswer 1\n", rounds);
  MPI_Finalize();
  return 0;
}
