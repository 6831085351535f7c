// What a loop may access has no section if it is accessed conditionally, or by what only a division tells, but lies between
// offsets that are known in front of it: so much of its object is asked about, and not all of it.
// RUN: %clang -O2 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O3 -fopenmp -fplugin=%plugin -S -emit-llvm %s -o %t.ll && %opt -passes=verify -disable-output %t.ll

// From a[first] to behind a[n - 1]; offsets that do not fit are none.
// CHECK-LABEL: define {{.*}}@masked(
// What may be written may be read.
// CHECK-NOT: __ompdsm_part_readable
// CHECK: %[[END:.*]] = select i1 %[[FITS:.*]], i64 %{{.*}}, i64 9223372036854775807
// CHECK: %[[BEGIN:.*]] = select i1 %[[FITS]], i64 %{{.*}}, i64 -9223372036854775808
// CHECK: call i32 @__ompdsm_part_writable(ptr %0, i64 %[[BEGIN]], i64 %[[END]])
// CHECK: {{^}}}
void masked(double *restrict a, const char *restrict mask, long first, long n) {
  for (long i = first; i < n; i++)
    if (mask[i])
      a[i] += 1;
}
// Rows of a collapsed nest.
// CHECK-LABEL: define {{.*}}@collapsed(
// CHECK: call i32 @__ompdsm_part_readable(ptr %1, i64
// CHECK: {{^}}}
void collapsed(double *restrict to, const double *restrict from, long begin, long end, long width) {
  for (long k = begin; k < end; k++) {
    const long i = k / width, j = k - k / width * width;
    to[i * width + j] = from[(i + 1) * width - 1 - j];
  }
}
// Unsigned numbers that might wrap.
// CHECK-LABEL: define {{.*}}@grid(
// CHECK-DAG: call i32 @__ompdsm_part_readable(ptr %1, i64
// CHECK-DAG: call i32 @__ompdsm_part_writable(ptr %0, i64
// CHECK: {{^}}}
void grid(double *restrict to, const double *restrict from, unsigned rows, unsigned width) {
  for (unsigned i = 1; i < rows; i++)
    for (unsigned j = 0; j < width; j++)
      to[i * width + j] = from[(i - 1) * width + j];
}
// Pointers that the loop loads.
struct Fields {
  double *a, *b;
};
// CHECK-LABEL: define {{.*}}@members(
// CHECK: call i32 @__ompdsm_part_readable(ptr %{{[0-9]+}}, i64
// CHECK: call i32 @__ompdsm_part_writable(ptr {{[a-z ]*}}%{{[0-9]+}}, i64
// CHECK: {{^}}}
void members(struct Fields *fields, const char *restrict mask, long n) {
  fields->a[0] = 0;
  for (long i = 0; i < n; i++)
    if (mask[i])
      fields->a[i] = fields->b[i + 1];
}

// --- Not applied.

// By a table; and by way of a number that is loaded.
// CHECK-LABEL: define {{.*}}@gathered(
// CHECK-NOT: __ompdsm_part
// CHECK: call i32 @__ompdsm_object_readable(ptr %1)
// CHECK-NOT: __ompdsm_part
// CHECK: {{^}}}
void gathered(double *restrict y, const double *restrict x, const int *restrict index, long n) {
  for (long i = 0; i < n; i++)
    y[i] = x[index[i]] + x[i];
}
// Bits, and products of what differs.
// CHECK-LABEL: define {{.*}}@scrambled(
// CHECK-NOT: __ompdsm_part
// CHECK: call i32 @__ompdsm_object_readable(ptr %1)
// CHECK-NOT: __ompdsm_part
// CHECK: {{^}}}
void scrambled(double *restrict y, const double *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = x[i ^ (i >> 3)] + x[i * i];
}
