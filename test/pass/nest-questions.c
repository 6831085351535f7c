// Inner loops that ask for sections which cannot be computed further out: one question in front of the nest says whether
// they need to. The nest is there once.
// RUN: %clang -O2 -fno-vectorize -fno-unroll-loops -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O3 -fopenmp -fplugin=%plugin -S -emit-llvm %s -o %t.ll && %opt -passes=verify -disable-output %t.ll
// RUN: %clang -O2 -fno-vectorize -fno-unroll-loops -fopenmp -fplugin=%plugin -S -emit-llvm %s -o /dev/null -Rpass=ompdsm 2>&1 | FileCheck %s --check-prefix=REMARK
void next(void);

// CHECK-LABEL: define {{.*}}@rows(
// CHECK: call i32 @__ompdsm_object_readable(ptr %1)
// CHECK: %[[ASK:.*]] = icmp eq i32 %{{.*}}, 0
// CHECK-NEXT: call i64 @__ompdsm_readable_run(ptr %1)
// CHECK-NEXT: call i64 @__ompdsm_readable_run_bytes(ptr %1)
// CHECK: br i1 %[[ASK]], label %[[YES:[0-9]+]], label %[[LOOP:[0-9]+]]
// Nor if the row lies in the part that is readable.
// CHECK: {{^}}[[YES]]:
// CHECK: icmp ugt i64 %[[BYTES:.*]], %{{.*}}
// CHECK: sub i64 %{{.*}}, %[[BYTES]]
// CHECK: br i1 %{{.*}}, label %[[OUTSIDE:[0-9]+]], label %{{[0-9]+}}
// CHECK: {{^}}[[OUTSIDE]]:
// CHECK-NEXT: call void @__ompdsm_loop_read(ptr %{{.*}}, i64 %[[BYTES]])
// CHECK: fadd double
// CHECK-NOT: fadd double
// CHECK-NOT: __ompdsm_{{.*}}_miss
// CHECK: {{^}}}
// REMARK: nest-questions.c:[[@LINE+5]]:14: remark: no check if all of the object is valid in front of the loop of line [[@LINE+3]]
void rows(double *restrict sums, const double *restrict a, const long *restrict order, long n, long columns) {
  double sum = 0;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < columns; j++)
      sum += a[order[i] * columns + j];
  sums[0] = sum;
}

// --- Not applied.

// An access without any section: the nest has a copy.
// CHECK-LABEL: define {{.*}}@gather(
// CHECK: @llvm.fmuladd
// CHECK: @llvm.fmuladd
// CHECK: {{^}}}
double gather(const double *restrict a, const double *restrict b, const long *restrict order, long n, long columns) {
  double sum = 0;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < columns; j++)
      sum += a[order[i] * columns + j] * b[order[j]];
  return sum;
}
// The object is another one in each iteration: the loop asks always.
// CHECK-LABEL: define {{.*}}@pointers(
// CHECK-NOT: call i32 @__ompdsm_object
// CHECK: call void @__ompdsm_loop_read(ptr
// CHECK: {{^}}}
double pointers(const double *const *restrict a, long n, long columns) {
  double sum = 0;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < columns; j++)
      sum += a[i][j];
  return sum;
}
// Permissions end between the question and the inner loop.
// CHECK-LABEL: define {{.*}}@synchronising(
// CHECK-NOT: call i32 @__ompdsm_object
// CHECK: call void @__ompdsm_loop_read(ptr
// CHECK: {{^}}}
double synchronising(const double *restrict a, const long *restrict order, long n, long columns) {
  double sum = 0;
  for (long i = 0; i < n; i++) {
    next();
    for (long j = 0; j < columns; j++)
      sum += a[order[i] * columns + j];
  }
  return sum;
}
