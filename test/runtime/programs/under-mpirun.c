// mpirun starts the nodes: they find each other by PMIx, the exit code is main's, and a node that is
// killed ends the job with a message and leaves nothing.
// REQUIRES: mpirun
// RUN: %cc %s -o %t
// RUN: env OMP_NUM_THREADS=5 %mpirun -np 3 %t > %t.out; test $? = 7
// RUN: %check %s < %t.out
// RUN: env OMP_NUM_THREADS=5 %mpirun -np 1 %t > %t.out; test $? = 7
// RUN: %check %s < %t.out
// CHECK: 5 threads, sum 499500, child 5
// CHECK-NOT: {{.}}
// RUN: rm -f %t.pids; %mpirun -np 3 %t 1 > %t.out 2>&1; test $? != 0
// RUN: %check --check-prefix=KILLED %s < %t.out
// KILLED: ompdsm: node 1 (pid {{.*}}) was killed, or ended before the job did, or its host or network failed; the job ends
// RUN: timeout 5 sh -c 'while ls /dev/shm | grep -E "(^|_)($(paste -sd "|" %t.pids))[:_]"; do sleep 0.1; done'
// RUN: env OMPDSM_INTERFACE=nowhere0 %mpirun -np 2 %t > %t.out 2>&1; test $? != 0
// RUN: %check --check-prefix=INTERFACE %s < %t.out
// INTERFACE: OMPDSM_INTERFACE is 'nowhere0', but this host has no such interface or address
// The coordinator is not for users:
// RUN: { ! %build/lib/ompdsm-coordinator < /dev/null; } 2>&1 | %check --check-prefix=HAND %s
// HAND: ompdsm-coordinator: started by the runtime under mpirun and srun, not by hand
#include "expect.h"
#include <omp.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
static int values[1000];
int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "child"))
    return 5; // A child of a node is a program of its own.
  int threads = 0;
  char name[4096];
  snprintf(name, sizeof name, "%s.pids", argv[0]);
#pragma omp parallel
  {
#pragma omp single
    threads = omp_get_num_threads();
#pragma omp for
    for (int i = 0; i < 1000; i++)
      values[i] = i;
#pragma omp critical
    if (argc > 1) {
      FILE *file = fopen(name, "a");
      fprintf(file, "%d\n", (int)getpid());
      fclose(file);
    }
#pragma omp barrier
    if (argc > 1 && omp_get_thread_num() == omp_get_num_threads() / 2)
      raise(SIGKILL);
  }
  long sum = 0;
  for (int i = 0; i < 1000; i++)
    sum += values[i];
  snprintf(name, sizeof name, "%s child", argv[0]);
  printf("%d threads, sum %ld, child %d\n", threads, sum, system(name) >> 8);
  return 7;
}
