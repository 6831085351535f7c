// Counters of a collapsed nest, which are quotients and remainders of unsigned numbers: sections of an inner loop begin at
// what is computed from them, which is not divided again.
// RUN: %clang -O2 -fno-unroll-loops -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O3 -fopenmp -fplugin=%plugin -S -emit-llvm %s -o %t.ll && %opt -passes=verify -disable-output %t.ll
struct Array {
  double *points;
  long row, plane;
};
// CHECK-LABEL: define {{.*}}@collapsed(
// CHECK: urem i32
// CHECK: call void @__ompdsm_{{loop_note_read|section_note_read|loop_read}}(
// CHECK-NOT: __ompdsm_read_miss(ptr %{{[0-9]+}}, i64 8)
// CHECK-NOT: call {{.*}}@__ompdsm_write_miss(
// CHECK: {{^}}}
void collapsed(const struct Array *restrict to, const struct Array *restrict from, unsigned begin, unsigned end,
               unsigned columns, long width) {
  for (unsigned k = begin; k < end; k++) {
    const long j = (int)(k % columns), i = (int)(k / columns);
    double *const row = to->points + i * to->plane + j * to->row;
    const double *const other = from->points + i * from->plane + j * from->row;
    for (long x = 0; x < width; x++)
      row[x] = other[x] + other[x + 1];
  }
}
