// srun starts the nodes, on two machines as far as Slurm knows.
// REQUIRES: slurm
// RUN: %cc %s -o %t
// RUN: env OMP_NUM_THREADS=6 %with-slurm srun -N 2 -n 4 --mpi=pmix %t > %t.out; test $? = 7
// RUN: %check %s < %t.out
// CHECK: 6 threads, sum 499500
// CHECK-NOT: {{.}}
// RUN: { ! %with-slurm srun -N 2 -n 4 --mpi=pmix %t kill; } > %t.out 2>&1
// RUN: %check --check-prefix=KILLED %s < %t.out
// KILLED: ompdsm: node {{[0-3]}} (pid {{.*}}) was killed, or ended before the job did, or its host or network failed; the job ends
#include "expect.h"
#include <omp.h>
#include <signal.h>
static int values[1000];
int main(int argc, char **argv) {
  int threads = 0;
#pragma omp parallel
  {
#pragma omp single
    threads = omp_get_num_threads();
#pragma omp for
    for (int i = 0; i < 1000; i++)
      values[i] = i;
    if (argc > 1 && omp_get_thread_num() == omp_get_num_threads() - 1)
      raise(SIGKILL);
  }
  long sum = 0;
  for (int i = 0; i < 1000; i++)
    sum += values[i];
  printf("%d threads, sum %ld\n", threads, sum);
  return 7;
}
