// Accesses under conditions that hold in the first or the last iterations only: the section is that of these iterations.
// RUN: %clang -O2 -fno-vectorize -fno-unroll-loops -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -fopenmp -fplugin=%plugin -S -emit-llvm %s -o %t.ll && %opt -passes=verify -disable-output %t.ll

// n - 1 elements, or none: b from its begin on, a from its second element on.
// CHECK-LABEL: define {{.*}}@first(
// CHECK: %[[N:.*]] = zext nneg i32 %2 to i64
// CHECK: %[[ALL:.*]] = shl {{.*}}i64 %[[N]], 3
// CHECK: %[[BYTES:.*]] = add nsw i64 %[[ALL]], -8
// CHECK: %[[READ:.*]] = select i1 %{{.*}}, i64 0, i64 %[[BYTES]]
// CHECK: call void @__ompdsm_loop_note_read(ptr %1, i64 %[[READ]])
// CHECK: %[[SECOND:.*]] = getelementptr i8, ptr %0, i64 8
// CHECK: %[[WRITTEN:.*]] = select i1 %{{.*}}, i64 0, i64 %[[BYTES]]
// CHECK: call void @__ompdsm_loop_note_write(ptr %[[SECOND]], i64 %[[WRITTEN]])
// CHECK: call void @__ompdsm_sections_ask()
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
void first(double *restrict a, const double *restrict b, int n) {
  for (int i = 0; i < n; i++)
    if (i > 0)
      a[i] = b[i - 1];
}
// CHECK-LABEL: define {{.*}}@last(
// CHECK: %[[SECOND:.*]] = getelementptr i8, ptr %1, i64 8
// CHECK: call void @__ompdsm_loop_note_read(ptr %[[SECOND]],
// CHECK: call void @__ompdsm_loop_note_write(ptr %0,
// CHECK: call void @__ompdsm_sections_ask()
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
void last(double *restrict a, const double *restrict b, long n) {
  for (long i = 0; i < n; i++)
    if (i < n - 1)
      a[i] = b[i + 1];
}
// Two conditions: what is between them, and nothing if the second one holds before the first one does.
// CHECK-LABEL: define {{.*}}@part(
// CHECK: %[[ALL:.*]] = sub i64 %2, %1
// CHECK: %[[LOW:.*]] = {{.*}}call i64 @llvm.smax.i64(i64 %3, i64 %1)
// CHECK: %[[BEFORE:.*]] = sub i64 %[[LOW]], %1
// CHECK: %[[FIRST:.*]] = {{.*}}call i64 @llvm.umin.i64(i64 %[[ALL]], i64 %[[BEFORE]])
// CHECK: %[[HIGH:.*]] = {{.*}}call i64 @llvm.smax.i64(i64 %4, i64 %1)
// CHECK: %[[BELOW:.*]] = sub i64 %[[HIGH]], %1
// CHECK: %[[END:.*]] = {{.*}}call i64 @llvm.umin.i64(i64 %[[ALL]], i64 %[[BELOW]])
// CHECK: %[[LENGTH:.*]] = {{.*}}call i64 @llvm.usub.sat.i64(i64 %[[END]], i64 %[[FIRST]])
// CHECK: shl i64 %[[LENGTH]], 3
// CHECK: call void @__ompdsm_loop_write(ptr
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
void part(double *restrict a, long from, long to, long low, long high) {
  for (long i = from; i < to; i++)
    if (i >= low && i < high)
      a[i] = 1;
}
// CHECK-LABEL: define {{.*}}@down(
// CHECK: call void @__ompdsm_loop_write(ptr
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
void down(double *restrict a, int n, int m) {
  for (int i = n; i > 0; i--)
    if (i >= m)
      a[i] = 1;
}
// What is always accessed covers what is accessed sometimes.
// CHECK-LABEL: define {{.*}}@both(
// CHECK: call void @__ompdsm_loop_read(ptr %1,
// CHECK-NOT: __ompdsm_{{.*}}_read
// CHECK: {{^}}}
double both(double *restrict sums, const double *restrict b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += b[i];
    if (i > 0)
      sum *= b[i - 1];
  }
  return sum;
}

// --- Not applied.

// All but one in the middle.
// CHECK-LABEL: define {{.*}}@middle(
// CHECK-NOT: call void @__ompdsm_loop
// CHECK: __ompdsm_write_miss
// CHECK: {{^}}}
void middle(double *restrict a, int n, int m) {
  for (int i = 0; i < n; i++)
    if (i != m)
      a[i] = 1;
}
// Another condition beside it.
// CHECK-LABEL: define {{.*}}@other(
// CHECK-NOT: call void @__ompdsm_loop_{{(note_)?}}write
// CHECK: __ompdsm_write_miss
// CHECK: {{^}}}
void other(double *restrict a, const int *restrict wanted, int n) {
  for (int i = 0; i < n; i++)
    if (i > 0 && wanted[i])
      a[i] = 1;
}
// A counter that may begin again at 0; and a bound after which there may be no number.
// CHECK-LABEL: define {{.*}}@wrapping(
// CHECK-NOT: call void @__ompdsm_loop
// CHECK: __ompdsm_write_miss
// CHECK: {{^}}}
void wrapping(double *restrict a, unsigned from, unsigned n, unsigned m) {
  for (unsigned i = from; i != n; i++)
    if (i < m)
      a[i] = 1;
}
// CHECK-LABEL: define {{.*}}@largest(
// CHECK-NOT: call void @__ompdsm_loop
// CHECK: __ompdsm_write_miss
// CHECK: {{^}}}
void largest(double *restrict a, long n, long m) {
  for (long i = 0; i < n; i++)
    if (i <= m)
      a[i] = 1;
}
