// What a region has by reference, and nobody writes while it runs, goes to it by value: the load stands in front of
// the region, not in its loops. What somebody may write stays a reference.
// RUN: %clang -O2 -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -g -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O0 -DNO_ATOMICS -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=O0
// O0-NOT: zext
void use(int *);
void look(const int *);
extern int *kept;

// CHECK-LABEL: define {{.*}}@readByAll(
// CHECK-NOT: alloca
// CHECK: inttoptr i64
// CHECK: call {{.*}}@__kmpc_fork_call(
void readByAll(int n, unsigned char *a) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[i] = 1;
}
// Its own writes before and between the regions are no hindrance, and neither are calls that keep nothing.
// CHECK-LABEL: define {{.*}}@writtenBetween(
// CHECK-NOT: alloca
// CHECK: call {{.*}}@__kmpc_fork_call(
// CHECK: call {{.*}}@__kmpc_fork_call(
// CHECK: ret
void writtenBetween(float x, float *a) {
#pragma omp parallel
  a[0] = x;
  x = a[1];
#pragma omp parallel
  a[2] = x;
}
// An inner region, and the call that serialises a region.
// CHECK-LABEL: define {{.*}}@nested(
// CHECK-NOT: alloca i64
// CHECK: call {{.*}}@__kmpc_fork_call(
// CHECK: call {{.*}}@nested.omp_outlined(ptr {{[^,]*}}, ptr {{[^,]*}}, ptr %{{[^,]*}}, ptr
void nested(long n, char *a) {
#pragma omp parallel if (n > 100)
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    a[i] = 1;
}
// CHECK-LABEL: define {{.*}}@writtenInside(
// CHECK: alloca i32
// CHECK-NOT: zext
// CHECK: call {{.*}}@__kmpc_fork_call(
int writtenInside(int n) {
#pragma omp parallel
#pragma omp single
  n++;
  return n;
}
// CHECK-LABEL: define {{.*}}@handedOn(
// CHECK: alloca i32
// CHECK-NOT: zext
// CHECK: call {{.*}}@__kmpc_fork_call(
void handedOn(int n) {
#pragma omp parallel
  use(&n);
}
// What another function keeps, it may write during the region.
// CHECK-LABEL: define {{.*}}@keptBefore(
// CHECK: alloca i32
// CHECK-NOT: zext
// CHECK: call {{.*}}@__kmpc_fork_call(
void keptBefore(int n, int *a) {
  kept = &n;
#pragma omp parallel
  a[0] = n;
}
// CHECK-LABEL: define {{.*}}@keptByCall(
// CHECK: alloca i32
// CHECK-NOT: zext
// CHECK: call {{.*}}@__kmpc_fork_call(
void keptByCall(int n, int *a) {
  look(&n);
#pragma omp parallel
  a[0] = n;
}
// Waiting for a flag: somebody must be able to write it.
// CHECK-LABEL: define {{.*}}@atomic(
// CHECK: alloca i32
// CHECK-NOT: zext
// CHECK: call {{.*}}@__kmpc_fork_call(
#ifndef NO_ATOMICS // which have such instructions of their own
void atomic(int n, int *a) {
#pragma omp parallel
  {
    int seen;
#pragma omp atomic read
    seen = n;
    a[0] = seen;
  }
}
#endif
// The address itself is used.
// CHECK-LABEL: define {{.*}}@compared(
// CHECK: alloca i32
// CHECK-NOT: zext
// CHECK: call {{.*}}@__kmpc_fork_call(
void compared(int n, int **a) {
#pragma omp parallel
  a[0] = a[1] == &n ? 0 : a[2];
}
// A task keeps a reference.
// CHECK-LABEL: define {{.*}}@task.omp_outlined(
// CHECK: call {{.*}}@__kmpc_omp_task(
void task(int n, int *a) {
#pragma omp parallel
#pragma omp task shared(n)
  a[0] = n++;
}
// What does not fit into a pointer.
// CHECK-LABEL: define {{.*}}@large(
// CHECK: alloca
// CHECK-NOT: zext
// CHECK: call {{.*}}@__kmpc_fork_call(
struct Large {
  double x, y;
};
void large(struct Large l, double *a) {
#pragma omp parallel
  a[0] = l.x;
}
