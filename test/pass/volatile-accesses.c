// RUN: %clang -fopenmp -O2 -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -fopenmp -O0 -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// Threads wait for each other by volatile variables: what may be shared is loaded and stored as an atomic
// variable is, with acquire (2) and release (3).
// CHECK-LABEL: define {{.*}}i32 @read(
// CHECK-NOT: load volatile
// CHECK: call {{.*}}@__ompdsm_atomic_load(ptr {{[^,]*}}, i32 4, i32 2)
int read(volatile int *p) { return *p; }
// CHECK-LABEL: define {{.*}}void @write(
// CHECK: call {{.*}}@__ompdsm_atomic_store(ptr {{[^,]*}}, i64 {{[^,]*}}, i32 8, i32 3)
// CHECK-NOT: store volatile
void write(double *volatile *p, double *value) { *p = value; }
// What is needed is not asked for before it is there.
// CHECK-LABEL: define {{.*}}double @sum(
// CHECK-NOT: __ompdsm_section
// CHECK: ret double
double sum(const double *a, volatile char *ready, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    while (!ready[i])
      ;
    sum += a[i];
  }
  return sum;
}
// CHECK-LABEL: define {{.*}}i32 @local(
// CHECK-NOT: __ompdsm_atomic
// CHECK: ret i32
int local(int n) {
  volatile int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i;
  return sum;
}
// One access each, but not by one instruction; and more than one access.
struct Parts {
  int a[8];
};
struct __attribute__((packed)) Odd {
  char first;
  int second;
};
// CHECK-LABEL: define {{.*}}i32 @others(
// CHECK-NOT: __ompdsm_atomic
// CHECK: ret i32
int others(volatile struct Parts *from, struct Parts *to, volatile struct Odd *odd) {
  *to = *from;
  return odd->second;
}
