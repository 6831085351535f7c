// What has no section of its own is covered by one that holds all of it in the same iteration: a condition does not
// matter then, nor that the end of an inner loop is not known.
// RUN: %clang -O2 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
struct Cell {
  double values[8];
};

// CHECK-LABEL: define {{.*}}@conditional(
// CHECK: call void @__ompdsm_section_note_rewrite(ptr %0,
// CHECK: call void @__ompdsm_loop_note_read(ptr %1,
// CHECK: call void @__ompdsm_sections_ask()
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
void conditional(struct Cell *restrict cells, const int *restrict kinds, long n) {
  for (long i = 0; i < n; i++) {
    for (int k = 0; k < 8; k++)
      cells[i].values[k] = k;
    if (kinds[i])
      cells[i].values[3] += kinds[i];
  }
}
// An inner loop with two ends, in a row that another one goes through.
// CHECK-LABEL: define {{.*}}@search(
// CHECK: call void @__ompdsm_loop_read(ptr %0,
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
long search(const struct Cell *restrict cells, long n) {
  long count = 0;
  for (long i = 0; i < n; i++) {
    double sum = 0;
    for (int k = 0; k < 8; k++)
      sum += cells[i].values[k];
    for (int k = 0; k < 8 && cells[i].values[k] < sum; k++)
      count++;
  }
  return count;
}

// --- Not applied.

// It is written, and the others are only read.
// CHECK-LABEL: define {{.*}}@written(
// CHECK-NOT: call void @__ompdsm_loop_{{(note_)?}}write
// CHECK: call i32 @__ompdsm_part_writable(ptr %0,
// CHECK: {{^}}}
double written(struct Cell *restrict cells, const int *restrict kinds, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++) {
    for (int k = 0; k < 8; k++)
      sum += cells[i].values[k];
    if (kinds[i])
      cells[i].values[3] = sum;
  }
  return sum;
}
// It may lie outside.
// CHECK-LABEL: define {{.*}}@outside(
// CHECK: call i32 @__ompdsm_part_readable(ptr %0,
// CHECK: {{^}}}
double outside(const struct Cell *restrict cells, const int *restrict kinds, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++) {
    for (int k = 0; k < 8; k++)
      sum += cells[i].values[k];
    if (kinds[i])
      sum *= cells[i].values[kinds[i] & 15];
  }
  return sum;
}
// What would cover it is conditional, too; or it is in another iteration.
// CHECK-LABEL: define {{.*}}@both(
// CHECK: call i32 @__ompdsm_part_readable(ptr %0,
// CHECK: {{^}}}
double both(const struct Cell *restrict cells, const int *restrict kinds, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++) {
    if (kinds[i] & 1)
      for (int k = 0; k < 8; k++)
        sum += cells[i].values[k];
    if (kinds[i] & 2)
      sum *= cells[i].values[2];
  }
  return sum;
}
// CHECK-LABEL: define {{.*}}@next(
// CHECK: call i32 @__ompdsm_part_readable(ptr %0,
// CHECK: {{^}}}
double next(const struct Cell *restrict cells, const int *restrict kinds, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++) {
    for (int k = 0; k < 8; k++)
      sum += cells[i].values[k];
    if (kinds[i])
      sum *= cells[i + 1].values[2];
  }
  return sum;
}
// All but the first iteration have it.
// CHECK-LABEL: define {{.*}}@first(
// CHECK: call i32 @__ompdsm_part_readable(ptr %0,
// CHECK: {{^}}}
double first(const struct Cell *restrict cells, const int *restrict kinds, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++) {
    if (i > 0)
      for (int k = 0; k < 8; k++)
        sum += cells[i].values[k];
    if (kinds[i])
      sum *= cells[i].values[2];
  }
  return sum;
}
// A search that ends somewhere, of which no more is known than that it ends.
// CHECK-LABEL: define {{.*}}@searchOn(
// CHECK: __ompdsm_part_readable(ptr %0,
// CHECK: __ompdsm_read_miss
// CHECK: {{^}}}
double searchOn(const double *restrict values, double *restrict out, long n, long most, double x) {
  double sum = 0;
  for (long i = 0; i < n; i++) {
    for (int k = 0; k < 10; k++)
      out[i] += values[i * 10 + k];
    for (long k = 0; k < most && values[i * 10 + k] != x; k++)
      sum += 1;
  }
  return sum;
}
