// A loop with an atomic operation is not unrolled: that is a call of the runtime.
// RUN: %clang -O3 -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s

// CHECK-LABEL: define {{.*}}@add(
// CHECK: call {{.*}}@__ompdsm_atomic_update(
// CHECK-NOT: @__ompdsm_atomic_update(
// CHECK: {{^}}}
void add(long *sums, const long *parts, long n) {
  for (long i = 0; i < n; i++)
#pragma omp atomic
    sums[i] += parts[i];
}
// Others are.
// CHECK-LABEL: define {{.*}}@plain(
// CHECK-COUNT-2: = mul {{.*}}i64
// CHECK: {{^}}}
long plain(const long *parts, long n) {
  long product = 1;
#pragma clang loop vectorize(disable)
  for (long i = 0; i < n; i++)
    product *= parts[i];
  return product;
}
