// The runtime learns the sizes of a reduction's objects, at every level.
// RUN: %clang -fopenmp -O0 -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -fopenmp -O1 -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -fopenmp -O2 -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -fopenmp -O3 -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// CHECK-DAG: @[[SIZES:ompdsm.reduction.sizes.*]] = private constant [3 x i64] [i64 8, i64 4, i64 24]
// CHECK-NOT: call {{.*}}@__kmpc_reduce
// CHECK: call {{.*}}@__ompdsm_reduce(ptr {{.*}}, i32 {{.*}}, i32 3, i64 24, ptr {{.*}}, ptr {{.*}}, ptr {{.*}}, ptr {{.*}}@[[SIZES]], i32 1)
// CHECK: @__kmpc_end_reduce_nowait
struct Point { double x, y, z; };
#pragma omp declare reduction(sum : struct Point : omp_out.x += omp_in.x) initializer(omp_priv = {0})
struct Point reduce(int n, const float *a) {
  double s = 0;
  int m = 0;
  struct Point p = {0};
#pragma omp parallel for reduction(+ : s) reduction(max : m) reduction(sum : p)
  for (int i = 0; i < n; i++) {
    s += a[i];
    if (a[i] > m)
      m = (int)a[i];
    p.x += a[i];
  }
  p.y = s;
  p.z = m;
  return p;
}
