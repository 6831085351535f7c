// Accesses that depend on conditions which do not vary: the section in front of the loop is empty if they do not hold.
// RUN: %clang -O2 -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -fopenmp -fplugin=%plugin -S -emit-llvm %s -o %t.ll && %opt -passes=verify -disable-output %t.ll

// CHECK-LABEL: define {{.*}}@rows(
// CHECK-NOT: phi
// CHECK: %[[SOME:.*]] = icmp sgt i64 %2, 0
// CHECK: %[[STORED:.*]] = select i1 %[[SOME]], i64 %1, i64 0
// CHECK-NEXT: call void @__ompdsm_section_overwrite(ptr %0, i64 %{{.*}}, i64 8000, i64 %[[STORED]], i64 0, i64 1)
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
void rows(double (*a)[1000], long n, long columns) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < columns; j++)
      a[i][j] = (double)(i + j);
}
// A conditional access; the other one is not conditional.
// CHECK-LABEL: define {{.*}}@conditional(
// CHECK: %[[SKIPS:.*]] = icmp eq i32 %2, 0
// CHECK-NEXT: %[[BYTES:.*]] = shl i64 %3, 3
// CHECK-NEXT: %[[STORED:.*]] = select i1 %[[SKIPS]], i64 0, i64 %[[BYTES]]
// CHECK-NEXT: call void @__ompdsm_section_note_overwrite(ptr %0, i64 %[[STORED]],
// CHECK-NEXT: call void @__ompdsm_section_note_overwrite(ptr %1, i64 %[[BYTES]],
// CHECK-NEXT: call void @__ompdsm_sections_ask()
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
void conditional(double *restrict a, double *restrict b, int which, long n) {
#pragma clang loop vectorize(disable) unroll(disable)
  for (long i = 0; i < n; i++) {
    if (which)
      a[i] = 1;
    b[i] = (double)i;
  }
}
// The inner loop's condition varies: row by row.
// CHECK-LABEL: define {{.*}}@ragged(
// CHECK: phi i64
// CHECK: call void @__ompdsm_section_overwrite(ptr
// CHECK: {{^}}}
void ragged(double (*restrict a)[1000], const long *restrict columns, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < columns[0] - i; j++)
      a[i][j] = (double)(i + j);
}
