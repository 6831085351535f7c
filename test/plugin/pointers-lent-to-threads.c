// A function that keeps no pointer (noescape; flang says so of all dummy arguments) may lend it to the
// threads of a region all the same: what the caller stores there is checked.
// RUN: %clang -fopenmp -fpass-plugin=%plugin -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -fopenmp -fpass-plugin=%plugin -O0 -S -emit-llvm %s -o - | FileCheck %s
#include <string.h>
int sum;
__attribute__((noinline)) void work(__attribute__((noescape)) const int *n) {
#pragma omp parallel
  {
#pragma omp atomic
    sum += *n;
  }
}
void elsewhere(__attribute__((noescape)) int *n);
// CHECK-LABEL: define {{.*}}@lends
// CHECK: call preserve_mostcc void @__ompdsm_write_miss
// CHECK: store i32 1000
// CHECK: call {{.*}}@work
// CHECK: call preserve_mostcc void @__ompdsm_write_miss
// CHECK: store i32 7
// CHECK: call {{.*}}@elsewhere
void lends(void) {
  int n = 1000, m;
  work(&n);
  m = 7;
  elsewhere(&m);
}
