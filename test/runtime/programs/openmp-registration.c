// libomp's file in shared memory is gone before a region's code runs, so that a node that dies in one
// leaves nothing behind, whoever started it.
// RUN: %cc %s -o %t
// RUN: %run -n 3 -t 1 %t
#include "expect.h"
#include <stdio.h>
#include <unistd.h>

int main(void) {
  int left = 0;
#pragma omp parallel reduction(+ : left)
  {
    char name[80];
    snprintf(name, sizeof name, "/dev/shm/__KMP_REGISTERED_LIB_%d_%d", (int)getpid(), (int)getuid());
    left += access(name, F_OK) == 0;
  }
  EXPECT(left == 0);
  return 0;
}
