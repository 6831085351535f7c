// Checks of loop nests without synchronisation stand in front of them, once for a section; what is conditional,
// what may synchronise in between, and what cannot be computed is checked where it is.
// RUN: %clang -O2 -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -fopenmp -fplugin=%plugin -fplugin-arg-ompdsm-no-hoist -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF
// OFF-NOT: call {{.*}}@__ompdsm_{{loop|section}}
long next(void);

// One check each for a and b, before the loop, asked for together.
// CHECK-LABEL: define {{.*}}@contiguous(
// CHECK-NOT: _miss
// CHECK: call void @__ompdsm_section_note_overwrite(ptr %{{.*}}, i64 %[[BYTES:.*]], i64 0, i64 1, i64 0, i64 1)
// CHECK-NEXT: call void @__ompdsm_loop_note_read(ptr %{{.*}}, i64 %[[BYTES]])
// CHECK-NEXT: call void @__ompdsm_sections_ask()
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
void contiguous(double *restrict a, const double *restrict b, long n) {
  for (long i = 0; i < n; i++)
    a[i] = b[i] + 1;
}
// Neighbours are one section; whole rows of a matrix are one, too.
// CHECK-LABEL: define {{.*}}@neighbours(
// CHECK: %[[ALL:.*]] = shl i64 %2, 3
// CHECK: %[[BYTES:.*]] = add i64 %[[ALL]], 8
// CHECK-NEXT: call void @__ompdsm_loop_note_read(ptr %1, i64 %[[BYTES]])
// CHECK-NOT: __ompdsm_loop_{{(note_)?}}read
// CHECK: call void @__ompdsm_sections_ask()
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
void neighbours(double *restrict a, const double *restrict b, long n) {
  for (long i = 1; i < n; i++)
    a[i] = b[i - 1] + b[i] + b[i + 1];
}
// CHECK-LABEL: define {{.*}}@rows(
// CHECK: call void @__ompdsm_section_overwrite(ptr %0, i64
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
void rows(double (*a)[64], long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < 64; j++)
      a[i][j] = 1;
}
// Rows that lie apart: a section with a stride, which asks for nothing between them.
// CHECK-LABEL: define {{.*}}@apart(
// CHECK: call void @__ompdsm_section_write(ptr %0, i64 80, i64 8000, i64 {{.*}}, i64 0, i64 1)
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
void apart(double (*a)[1000], long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < 10; j++)
      a[i][j] = 1;
}
// CHECK-LABEL: define {{.*}}@planes(
// CHECK: call void @__ompdsm_section_write(ptr %0, i64 40, i64 800, i64 {{.*}}, i64 80000, i64 {{.*}})
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
void planes(double (*a)[100][100], long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < 50; j++)
      for (long k = 0; k < 5; k++)
        a[i][j][k] = 1;
}
// Columns side by side are rows.
// CHECK-LABEL: define {{.*}}@columns(
// CHECK: call void @__ompdsm_section_rewrite(ptr %0, i64 %{{.*}}, i64 8000, i64 50, i64 0, i64 1)
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
void columns(double (*a)[1000], long n) {
  for (long j = 0; j < n; j++)
    for (long i = 0; i < 50; i++)
      a[i][j] += 1;
}
// What is written and read needs one check, for writing.
// CHECK-LABEL: define {{.*}}@updated(
// CHECK-NOT: __ompdsm_loop_{{(note_)?}}read
// CHECK: call void @__ompdsm_section_rewrite
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
void updated(double *a, long n) {
  for (long i = 0; i < n; i++)
    a[i] *= 2;
}
// Reading more than is written does not make the node a writer of the rest.
// CHECK-LABEL: define {{.*}}@readsMore(
// CHECK: call void @__ompdsm_section_note_rewrite
// CHECK: call void @__ompdsm_loop_note_read
// CHECK: call void @__ompdsm_sections_ask()
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
void readsMore(double *a, long n) {
  for (long i = 0; i < n; i++)
    a[i] = a[i + 40] + a[i - 40];
}
// The length of the inner loop depends on the outer: row by row.
// CHECK-LABEL: define {{.*}}@triangle(
// CHECK: phi
// CHECK: call void @__ompdsm_section_overwrite
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
void triangle(double (*a)[1000], long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j <= i; j++)
      a[i][j] = 1;
}
// The index is hoisted, what it leads to is not.
// CHECK-LABEL: define {{.*}}@irregular(
// CHECK: call void @__ompdsm_loop_read(ptr %{{.*}}
// CHECK-NOT: __ompdsm_loop_{{(note_)?}}write
// CHECK: call {{.*}}void @__ompdsm_write_miss
// CHECK: {{^}}}
void irregular(double *restrict a, const int *restrict index, long n) {
  for (long i = 0; i < n; i++)
    a[index[i]] = i;
}
// Conditional: the program may never write there.
// CHECK-LABEL: define {{.*}}@conditional(
// CHECK-NOT: __ompdsm_loop_{{(note_)?}}write
// CHECK: call void @__ompdsm_loop_read
// CHECK-NOT: __ompdsm_loop_{{(note_)?}}write
// CHECK: call {{.*}}void @__ompdsm_write_miss
// CHECK: {{^}}}
void conditional(double *restrict a, const double *restrict b, long n) {
#pragma clang loop vectorize(disable)
  for (long i = 0; i < n; i++)
    if (b[i] > 0)
      a[i] = b[i];
}
// A loop that is left early, or whose end is unknown.
// CHECK-LABEL: define {{.*}}@leftEarly(
// CHECK-NOT: __ompdsm_loop
// CHECK: {{^}}}
long leftEarly(const char *s) {
  long n = 0;
  while (s[n])
    n++;
  return n;
}
// Calls that may synchronise, atomics and barriers end permissions: nothing may leave their loops.
// CHECK-LABEL: define {{.*}}@calling(
// CHECK-NOT: __ompdsm_loop
// CHECK: {{^}}}
void calling(long *a, long n) {
  for (long i = 0; i < n; i++)
    a[i] = next();
}
// CHECK-LABEL: define {{.*}}@counting(
// CHECK-NOT: __ompdsm_loop
// CHECK: {{^}}}
void counting(long *restrict a, long *restrict count, long n) {
  for (long i = 0; i < n; i++) {
    a[i] = i;
    __atomic_fetch_add(count, 1, __ATOMIC_SEQ_CST);
  }
}
// Out of the inner loop, but not out of the one with the barrier.
// CHECK-LABEL: define {{.*}}@steps(
// CHECK: phi
// CHECK: call void @__ompdsm_section_overwrite
// CHECK: call void @__kmpc_barrier
// CHECK: {{^}}}
void steps(double *a, long n, int count) {
  for (int step = 0; step < count; step++) {
    for (long i = 0; i < n; i++)
      a[i] = step;
#pragma omp barrier
  }
}
// Private memory has none.
// CHECK-LABEL: define {{.*}}@privately(
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
double privately(long n) {
  double a[256], sum = 0;
  for (long i = 0; i < 256; i++)
    a[i] = (double)(i * n);
  for (long i = 0; i < 256; i += 7)
    sum += a[(i * n) & 255];
  return sum;
}
