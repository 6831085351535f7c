// Where all threads wait behind a single construct, the runtime is told so; with nowait it is not.
// RUN: %clang -fopenmp -O0 -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -fopenmp -O2 -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
int shared, filled;
void work(void);

// CHECK-LABEL: define {{.*}}waited
// CHECK: call {{.*}}@__ompdsm_waited_single(
// CHECK-NOT: call {{.*}}@__kmpc_single(
void waited(void) {
#pragma omp single
  work();
}

// CHECK-LABEL: define {{.*}}copied
// CHECK: call {{.*}}@__ompdsm_waited_single(
// CHECK: call {{.*}}@__kmpc_copyprivate(
int copied(int mine) {
#pragma omp single copyprivate(mine)
  mine = shared;
  return mine;
}

// CHECK-LABEL: define {{.*}}notWaited
// CHECK-NOT: __ompdsm_waited_single
// CHECK: call {{.*}}@__kmpc_single(
// CHECK-NOT: __ompdsm_waited_single
void notWaited(void) {
#pragma omp single nowait
  work();
}

// CHECK-LABEL: define {{.*}}explicitBarrier
// CHECK: call {{.*}}@__kmpc_single(
void explicitBarrier(void) {
#pragma omp single nowait
  work();
#pragma omp barrier
}

// CHECK-LABEL: define {{.*}}oneAfterTheOther
// CHECK: call {{.*}}@__kmpc_single(
// CHECK: call {{.*}}@__ompdsm_waited_single(
void oneAfterTheOther(void) {
#pragma omp single nowait
  work();
#pragma omp single
  filled = 1;
}
