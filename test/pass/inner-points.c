// The inner points of a grid: both ends of a row move with it, and its length stays.
// RUN: %clang -O2 -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -fopenmp -fplugin=%plugin -S -emit-llvm %s -o %t.ll && %opt -passes=verify -disable-output %t.ll

// One section, with a stride, in front of both loops.
// CHECK-LABEL: define {{.*}}@plane(
// CHECK-NOT: phi
// CHECK: call void @__ompdsm_section_overwrite(ptr
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
void plane(double *points, int n) {
  const long width = n + 1;
  for (long i = 1; i < n; i++)
    for (long at = i * width + 1; at < i * width + n; at++)
      points[at] = 1;
}
// Planes on top of each other add a dimension. If n is 1, no row of any plane is accessed.
// CHECK-LABEL: define {{.*}}@space(
// CHECK-NOT: phi i64
// CHECK: %[[ROWS:.*]] = select i1 %{{.*}}, i64 %{{.*}}, i64 0
// CHECK-NEXT: call void @__ompdsm_section_overwrite(ptr %{{.*}}, i64 %{{.*}}, i64 %{{.*}}, i64 %[[ROWS]], i64 8000000, i64 %{{.*}})
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
void space(double *points, int n, int planes) {
  const long width = n + 1;
  for (long k = 0; k < planes; k++)
    for (long i = 1; i < n; i++)
      for (long at = i * width + 1; at < i * width + n; at++)
        points[at + k * 1000000] = 1;
}
// A long body: what the bound does not overflow is known from the instruction alone.
// CHECK-LABEL: define {{.*}}@stencil(
// CHECK-NOT: phi
// CHECK: call void @__ompdsm_section_note_overwrite(
// CHECK: call void @__ompdsm_section_note_read(
// CHECK: call void @__ompdsm_sections_ask()
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
void stencil(int n, double *restrict next, const double *restrict heat, const double *restrict wind,
             const double *restrict level) {
  const double share = 0.25 / n;
  const long width = n + 1;
  for (long i = 1; i < n; i++)
    for (long at = i * width + 1; at < i * width + n; at++) {
      const double along = heat[at + 1] - heat[at - 1], across = heat[at + width] - heat[at - width];
      next[at] = level[at] + share * (wind[at] * along - wind[at + 1] * across);
    }
}
// The ends move at different paces: row by row.
// CHECK-LABEL: define {{.*}}@wedge(
// CHECK: phi i64
// CHECK: call void @__ompdsm_section_overwrite(ptr
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
void wedge(double *points, long n, long width, long other) {
  for (long i = 1; i < n; i++)
    for (long at = i * width + 1; at < i * other + n; at++)
      points[at] = 1;
}
// Unsigned indices may wrap, and a row that does has another length.
// CHECK-LABEL: define {{.*}}@wrapping(
// CHECK: phi i32
// CHECK-NOT: call void @__ompdsm_section_write
// CHECK: {{^}}}
void wrapping(double *points, unsigned n, unsigned width) {
  for (unsigned i = 1; i < n; i++)
    for (unsigned at = i * width + 1; at < i * width + n; at++)
      points[at] = 1;
}
