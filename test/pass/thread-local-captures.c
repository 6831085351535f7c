// copyin: the runtime hears of the variable and its size before the region starts, once, at all levels.
// RUN: %clang -fopenmp -fpass-plugin=%plugin -O0 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -fopenmp -fpass-plugin=%plugin -O2 -S -emit-llvm %s -o - | FileCheck %s
static int array[10], other;
#pragma omp threadprivate(array, other)
void use(int *);
// CHECK-LABEL: define {{.*}}@region(
// CHECK: call void @__ompdsm_capture_thread_local(ptr {{.*}}, i64 40)
// CHECK-NOT: __ompdsm_capture_thread_local
// CHECK: call void {{.*}}@__kmpc_fork_call(
void region(void) {
#pragma omp parallel copyin(array)
  use(array);
}
// CHECK-LABEL: define {{.*}}@plain(
// CHECK-NOT: __ompdsm_capture_thread_local
// CHECK: call void {{.*}}@__kmpc_fork_call(
void plain(int n) {
#pragma omp parallel
  use(&n);
}
