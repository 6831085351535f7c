// Exit handlers and destructors run on node 0 only, once, and still see what other nodes wrote; the
// exit code is main's or exit's.
// RUN: %cxx %s -o %t
// RUN: %run -n 2 %t > %t.out; test $? = 7
// RUN: %check %s < %t.out
// RUN: %run -n 2 %t now > %t.out2; test $? = 9
// RUN: %check %s < %t.out2
// CHECK: exit handler 41
// CHECK-NEXT: destructor 42
// CHECK-NOT: {{.}}
#include "expect.h"
#include <omp.h>

static int shared[2000];
struct Last {
  ~Last() { printf("destructor %d\n", shared[1501]); }
} last;

int main(int argc, char **) {
  atexit([] { printf("exit handler %d\n", shared[1500]); });
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
    shared[1500] = 41;
    shared[1501] = 42;
  }
  if (argc > 1)
    exit(9);
  return 7;
}
