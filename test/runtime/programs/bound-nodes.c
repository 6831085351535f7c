// Nodes that are bound to a core each have it alone; those that are bound to the same one share it.
// RUN: %cc %s -o %t
// RUN: echo 'import os, sys; cores = sorted(os.sched_getaffinity(0)); os.sched_setaffinity(0, {cores[int(sys.argv[1]) %% len(cores)]}); os.execv("%t", ["%t"])' > %t.py
// RUN: env -u OMP_NUM_THREADS %run -n 2 sh -c 'exec python3 %t.py $OMPDSM_NODE' > %t.out
// RUN: grep -x "$(python3 -c 'import os; print(min(2, len(os.sched_getaffinity(0))))') processors, 2 threads" %t.out
// RUN: env -u OMP_NUM_THREADS %run -n 2 python3 %t.py 0 | grep -x '1 processors, 2 threads'
#include <omp.h>
#include <stdio.h>
int main(void) {
  int threads = 0;
#pragma omp parallel
#pragma omp single
  threads = omp_get_num_threads();
  printf("%d processors, %d threads\n", omp_get_num_procs(), threads);
  return 0;
}
