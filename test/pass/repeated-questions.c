// A nest that began with checks goes back to the questions between two iterations, if misses were served since then
// and none during the last iteration.
// RUN: %clang -O2 -fno-vectorize -fno-unroll-loops -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -fopenmp -fplugin=%plugin -S -emit-llvm %s -o %t.ll && %opt -passes=verify -disable-output %t.ll
// RUN: %clang -O2 -fopenmp -fplugin=%plugin -fplugin-arg-ompdsm-no-asking-again -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF
// OFF-NOT: load volatile i32
// OFF: call {{.*}}@__ompdsm_part_readable
// OFF-NOT: load volatile i32

// The number at the question, the one of the iteration before, and the one now.
// CHECK-LABEL: define {{.*}}@lookUp(
// CHECK: load volatile i32, ptr inttoptr (i64 [[SERVED:[0-9]+]] to ptr)
// CHECK: call i32 @__ompdsm_part_readable(ptr %1,
// CHECK: __ompdsm_read_miss
// CHECK: %[[NOW:.*]] = load volatile i32, ptr inttoptr (i64 [[SERVED]] to ptr)
// CHECK-DAG: icmp eq i32 %[[NOW]], %{{.*}}
// CHECK-DAG: icmp ne i32 %[[NOW]], %{{.*}}
// CHECK: br i1 %{{.*}}, label %{{.*}}, label %{{.*}}, !prof
// CHECK: {{^}}}
void lookUp(int *restrict where, const double *restrict table, const double *restrict wanted, long rows, long n) {
  for (long i = 0; i < rows; i++) {
    int found = -1;
    for (long k = 0; k < n; k++)
      if (table[k] >= wanted[i]) {
        found = (int)k;
        break;
      }
    where[i] = found;
  }
}
// Iterations that have no loop are short.
// CHECK-LABEL: define {{.*}}@gather(
// CHECK-NOT: load volatile i32
// CHECK: {{^}}}
void gather(double *restrict y, const double *restrict x, const int *restrict index, long n) {
  for (long i = 0; i < n; i++)
    y[i] = x[index[i]];
}
