// A parallel region of an object that was compiled without the plugin cannot run on several nodes: an
// error that names it, however the object came into the program. Serial code of such an object may.
// RUN: %plain-cc -fopenmp -g -DREGION -c %s -o %t.region.o
// RUN: %plain-cc -g -DSERIAL -c %s -o %t.serial.o
// RUN: %cc -c %s -o %t.main.o
// RUN: %cc %t.main.o %t.region.o %t.serial.o -o %t
// RUN: %run -n 1 %t | %check %s
// RUN: ! %run -n 2 %t 2>&1 | %check --check-prefix=ERROR %s
// CHECK: main 4 region 4 serial 7
// ERROR: the parallel region at {{.*}}objects-without-the-plugin.c:[[#@LINE+10]] was not compiled with the plugin of ompdsm, so it cannot run on several nodes: compile it with ompdsm-clang, or run with -n 1
// Optimised, through an archive, and by the other linker.
// RUN: %cc -O2 -c %s -o %t.fast.o
// RUN: %cc -DREGION -O2 -c %s -o %t.fast-region.o
// RUN: rm -f %t.a && ar rcs %t.a %t.fast-region.o %t.serial.o
// RUN: %cc -fuse-ld=lld %t.fast.o %t.a -o %t.all
// RUN: %run -n 2 %t.all | %check %s
#if defined REGION
int region(void) {
  int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
  sum++;
  return sum;
}
#elif defined SERIAL
int serial(void) { return 7; }
#else
#include <stdio.h>
int region(void);
int serial(void);
int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
  sum++;
  printf("main %d region %d serial %d\n", sum, region(), serial());
  return 0;
}
#endif
