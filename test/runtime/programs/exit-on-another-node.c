// exit() in a region on another node than 0 ends the job with a message; output before it is kept.
// RUN: %cc %s -o %t
// RUN: ! %run -n 2 %t > %t.out 2>&1
// RUN: %check %s < %t.out
// CHECK-DAG: before exit
// CHECK-DAG: {{the program called exit on node 1|node 1 .* exited with code 3 before the job.s end}}
#include "expect.h"
#include <omp.h>
int main(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) {
      printf("before exit\n");
      exit(3);
    }
  }
  return 0;
}
