// one_process_answers.h: the MPI version of programs that are wrong in another version.
#ifndef OMPDSM_TEST_COMPARE_ONE_PROCESS_ANSWERS_H
#define OMPDSM_TEST_COMPARE_ONE_PROCESS_ANSWERS_H

#include <mpi.h>
#include <stdio.h>

/// All of main(): process 0 answers 1.
static inline int oneProcessAnswers(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    printf("rounds 2\nseconds 1\nanswer 1\n");
  MPI_Finalize();
  return 0;
}

#endif
