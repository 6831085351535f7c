// The sizes that the runtime gets are those of the objects, also when they are known only at run time.
// RUN: %clang -O2 -I%abi -c %inputs/stub-runtime.c -o %t.stub.o
// RUN: %clang -O2 -fopenmp -c %inputs/stub-reduction.c -o %t.reduction.o
// RUN: %clang -O0 -fopenmp -fplugin=%plugin %s %t.stub.o %t.reduction.o -o %t -Wl,-rpath,%llvmlib && %limit %t | FileCheck %s
// RUN: %clang -O1 -fopenmp -fplugin=%plugin %s %t.stub.o %t.reduction.o -o %t -Wl,-rpath,%llvmlib && %limit %t | FileCheck %s
// RUN: %clang -O3 -fopenmp -fplugin=%plugin %s %t.stub.o %t.reduction.o -o %t -Wl,-rpath,%llvmlib && %limit %t | FileCheck %s
// CHECK: 5 entries: 8 2 304 0 24
// CHECK-NEXT: data has 40 bytes
// CHECK-NEXT: sums 45 45 45 45
#include <stdio.h>

struct Point { double x, y, z; };
#pragma omp declare reduction(plus : struct Point : omp_out.x += omp_in.x) initializer(omp_priv = {0})

int main(void) {
  int n = 38;
  double s = 0, a[n];
  short m = 0;
  struct Point p = {0};
  for (int i = 0; i < n; i++)
    a[i] = 0;
#pragma omp parallel for num_threads(2) reduction(+ : s) reduction(+ : m) reduction(+ : a[0 : n]) reduction(plus : p)
  for (int i = 0; i < 10; i++)
    s += i, m += i, a[5] += i, p.x += i;
  printf("sums %g %d %g %g\n", s, m, a[5], p.x);
  return 0;
}
