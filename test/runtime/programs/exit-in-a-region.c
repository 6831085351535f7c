// exit() in a region on node 0, by any of its threads, while the other nodes compute, wait or sleep,
// ends the job at once with exit's code; handlers and output of node 0 are complete.
// RUN: %cc %s -o %t
// RUN: for who in 0 1; do for others in compute wait sleep; do %run -n 3 -t 2 %t $who $others > %t.out; test $? = 5 && %check %s < %t.out || exit 1; done; done
// CHECK-DAG: before exit
// CHECK-DAG: handler
#include "expect.h"
#include <omp.h>
#include <unistd.h>
static volatile int forever = 1;
static void handler(void) { printf("handler\n"); }
int main(int argc, char **argv) {
  int who = atoi(argv[1]);
  char others = argv[2][0];
  atexit(handler);
#pragma omp parallel num_threads(6)
  {
    int self = omp_get_thread_num();
    if (self == who) {
      printf("before exit\n");
      exit(5);
    }
    while (others == 'c' && self >= 2 && forever)
      ;
    if (others == 's')
      sleep(100);
#pragma omp barrier
  }
  return 0;
}
