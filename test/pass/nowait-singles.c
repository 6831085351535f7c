// A module without a single construct that all wait at does not name the runtime's function for it.
// RUN: %clang -fopenmp -O0 -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// CHECK-NOT: __ompdsm_waited_single
void work(void);
void notWaited(void) {
#pragma omp single nowait
  work();
}
