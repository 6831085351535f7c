// exit() in a region on another node than 0 ends the job with a message and exit's code; output before
// it is kept.
// RUN: %cc %s -o %t
// RUN: %run -n 2 %t > %t.out 2>&1; test $? = 3
// RUN: %check %s < %t.out
// CHECK-DAG: before exit
// CHECK-DAG: node 1 {{.*}}: the program called exit(3) on this node, in a parallel region
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
