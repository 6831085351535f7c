// A loop with accesses that have no section gets a copy without checks of whole objects, which is taken if the
// runtime says that all of them are valid.
// RUN: %clang -O2 -fno-vectorize -fno-unroll-loops -fopenmp -fplugin=%plugin -fplugin-arg-ompdsm-no-asking-again -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -fopenmp -fplugin=%plugin -S -emit-llvm %s -o %t.ll && %opt -passes=verify -disable-output %t.ll
// RUN: %clang -O2 -fopenmp -fplugin=%plugin -fplugin-arg-ompdsm-no-hoist -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF
// OFF-NOT: call {{.*}}@__ompdsm_{{(object|range)_[a-z]*able}}
void next(void);
long pure(long) __attribute__((const));

// One question for each object; what has a section is asked for by it. In the copy nothing is asked.
// CHECK-LABEL: define {{.*}}@gather(
// CHECK: icmp ult i64 %{{.*}}, -7
// CHECK: call void @__ompdsm_section_note_overwrite(ptr %0,
// CHECK: call void @__ompdsm_loop_note_read(ptr %2,
// CHECK: call void @__ompdsm_sections_ask()
// CHECK-NOT: __ompdsm
// CHECK: %[[X:.*]] = {{.*}}call i32 @__ompdsm_object_readable(ptr %1)
// CHECK: icmp {{.*}}%[[X]], 0
// CHECK: call void @__ompdsm_section_note_overwrite(ptr %0,
// CHECK: call void @__ompdsm_loop_note_read(ptr %2,
// CHECK: call void @__ompdsm_sections_ask()
// CHECK-NOT: __ompdsm
// CHECK: __ompdsm_read_miss
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
void gather(double *restrict y, const double *restrict x, const int *restrict index, long n) {
  for (long i = 0; i < n; i++)
    y[i] = x[index[i]];
}
// Read and written: it must be writable.
// CHECK-LABEL: define {{.*}}@histogram(
// CHECK: call i32 @__ompdsm_object_writable(ptr %0)
// CHECK-NOT: __ompdsm_object
// CHECK: __ompdsm_write_miss
// CHECK: {{^}}}
void histogram(long *restrict count, const unsigned char *restrict values, long n) {
  for (long i = 0; i < n; i++)
    count[values[i]]++;
}
// Conditional: only asked about, never fetched.
// CHECK-LABEL: define {{.*}}@conditional(
// CHECK: call i32 @__ompdsm_part_writable(ptr %0, i64
// CHECK-NOT: __ompdsm_loop_{{(note_)?}}write
// CHECK: __ompdsm_write_miss
// CHECK: {{^}}}
void conditional(double *restrict a, const int *restrict wanted, long n) {
  for (long i = 0; i < n; i++)
    if (wanted[i])
      a[i] = 1;
}
// The size of a variable that is defined here is known.
// CHECK-LABEL: define {{.*}}@global(
// CHECK: call i32 @__ompdsm_range_writable(ptr nonnull @table, i64 8000)
// CHECK: {{^}}}
double table[1000];
void global(const int *restrict index, long n) {
  for (long i = 0; i < n; i++)
    table[index[i]] = 1;
}
// The whole nest, with rows of different lengths, is copied once.
// CHECK-LABEL: define {{.*}}@rows(
// CHECK-COUNT-3: call i32 @__ompdsm_object_readable(
// CHECK-NOT: call i32 @__ompdsm
// CHECK: {{^}}}
void rows(long n, double *restrict y, const int *restrict first, const int *restrict column,
          const double *restrict value, const double *restrict x) {
  for (long i = 0; i < n; i++) {
    double sum = 0;
    for (int k = first[i]; k < first[i + 1]; k++)
      sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}
// Pointers that are members are loaded in front of the copy, if they are on a page that was accessed before.
// CHECK-LABEL: define {{.*}}@members(
// CHECK: icmp ult i64 %{{.*}}, 4096
// CHECK: call i32 @__ompdsm_range_readable(ptr {{[^,]*}}, i64 8)
// CHECK-NOT: __ompdsm_read_miss
// CHECK: %[[X:.*]] = load ptr,
// CHECK-NOT: freeze
// CHECK: call i32 @__ompdsm_object_readable(ptr %[[X]])
// CHECK: {{^}}}
struct Rows {
  long n;
  const int *first, *column;
  const double *x;
};
void members(const struct Rows *rows, double *restrict y) {
  for (long i = 0; i < rows->n; i++)
    for (int k = rows->first[i]; k < rows->first[i + 1]; k++)
      y[i] += rows->x[rows->column[k]];
}
// Each iteration loads both, if by one branch or by the other: that cannot fault in front of it either.
// CHECK-LABEL: define {{.*}}@byEither(
// CHECK-NOT: 4096
// CHECK-COUNT-2: call i32 @__ompdsm_range_readable(ptr {{[^,]*}}, i64 8)
// CHECK: call i32 @__ompdsm_part_readable(
// CHECK: call i32 @__ompdsm_part_writable(
// CHECK: {{^}}}
struct Grid {
  long n;
  double *from, *to;
};
void byEither(struct Grid *g, long n, long row) {
  for (long k = 0; k < n; k++)
    if (k % row == 0)
      g->to[k] = g->from[k];
    else
      g->to[k] = g->from[k] + g->from[k - 1];
}
// Where some iterations may load it, or none, the runtime must know that it is mapped.
// CHECK-LABEL: define {{.*}}@bySome(
// CHECK: call i32 @__ompdsm_shared_readable(ptr {{[^,]*}}, i64 8)
// CHECK-NOT: __ompdsm_read_miss
// CHECK: call i32 @__ompdsm_part_readable(
// CHECK: {{^}}}
double bySome(const struct Grid *g, const char *mask, long n) {
  double sum = 0;
  for (long k = 0; k < n; k++)
    if (mask[k])
      sum += g->from[k];
  return sum;
}
// One of several objects, by a value that is known in front of the loop.
// CHECK-LABEL: define {{.*}}@either(
// CHECK: %[[WHICH:.*]] = phi ptr
// CHECK: call i32 @__ompdsm_object_writable(ptr %[[WHICH]])
// CHECK: {{^}}}
void either(double **a, double *b, const int *restrict index, long n) {
  double *to = n & 1 ? a[n] : b;
  for (long i = 0; i < n; i++)
    to[index[i]] = 1;
}
// What an earlier loop has found, which has a copy itself.
// CHECK-LABEL: define {{.*}}@found(
// CHECK: call i32 @__ompdsm_object_readable(
// CHECK: call i32 @__ompdsm_object_writable(
// CHECK: {{^}}}
void found(double **rows, const int *restrict index, long n) {
  double *last = rows[0];
  for (long i = 0; i < n; i++)
    if (index[index[i]])
      last = rows[index[i]];
  for (long i = 0; i < n; i++)
    last[index[i]] = 1;
}

// --- Not applied.

// The object is another one in each iteration.
// CHECK-LABEL: define {{.*}}@list(
// CHECK-NOT: call i32 @__ompdsm
// CHECK: {{^}}}
struct List {
  struct List *next;
  long value;
};
long list(const struct List *at) {
  long sum = 0;
  for (; at; at = at->next)
    sum += at->value;
  return sum;
}
// CHECK-LABEL: define {{.*}}@pointers(
// CHECK-NOT: call i32 @__ompdsm_object_{{.*}}(ptr %{{[^1]}}
// CHECK: {{^}}}
long pointers(long n, long *const *rows, const int *restrict index) {
  long sum = 0;
  for (long i = 0; i < n; i++)
    sum += *rows[i];
  return sum;
}
// Permissions end within the loop; in an inner loop they do not.
// CHECK-LABEL: define {{.*}}@synchronising(
// CHECK-NOT: call i32 @__ompdsm
// CHECK: {{^}}}
void synchronising(double *restrict a, const int *restrict index, long n) {
  for (long i = 0; i < n; i++) {
    a[index[i]] = 1;
    next();
  }
}
// CHECK-LABEL: define {{.*}}@inner(
// CHECK: {{^[0-9]+:}}
// CHECK: call i32 @__ompdsm_object_writable(ptr %0)
// CHECK: call void @next()
// CHECK: {{^}}}
void inner(double *restrict a, const int *restrict index, long n) {
  for (long round = 0; round < n; round++) {
    for (long i = 0; i < n; i++)
      a[index[i]] = 1;
    next();
  }
}
// A pointer that was a number has no object.
// CHECK-LABEL: define {{.*}}@number(
// CHECK-NOT: call i32 @__ompdsm
// CHECK: {{^}}}
long number(unsigned long address, const int *restrict index, long n) {
  long sum = 0;
  for (long i = 0; i < n; i++)
    if (pure(i))
      sum += ((long *)address)[pure(i) & 7];
  return sum;
}
// All has sections: no copy.
// CHECK-LABEL: define {{.*}}@linear(
// CHECK-NOT: call i32 @__ompdsm
// CHECK: {{^}}}
void linear(double *restrict a, const double *restrict b, long n) {
  for (long i = 0; i < n; i++)
    a[i] = b[i];
}
// What the loop may change is not loaded in front of it.
// CHECK-LABEL: define {{.*}}@changing(
// CHECK-NOT: icmp ult i64 %{{.*}}, 4096
// CHECK: {{^}}}
struct Parts {
  long n, *part[8];
};
void changing(struct Parts *parts, long *restrict spare, const int *restrict index) {
  for (long i = 0; i < parts->n; i++) {
    if (index[i] & 1)
      parts->part[3][index[i]] = i;
    if (index[i] & 2)
      parts->part[index[i] & 7] = spare;
  }
}
// A search: mostly over after few steps.
// CHECK-LABEL: define {{.*}}@search(
// CHECK-NOT: call i32 @__ompdsm
// CHECK: {{^}}}
long search(const long *values, long place, long wanted, long mask) {
  while (values[place] != wanted)
    place = (place * 5 + 1) & mask;
  return place;
}
// Too short to be worth a question.
// CHECK-LABEL: define {{.*}}@few(
// CHECK-NOT: call i32 @__ompdsm
// CHECK: {{^}}}
void few(double *restrict a, const int *restrict index) {
#pragma clang loop unroll(disable)
  for (int i = 0; i < 4; i++)
    a[index[i]] = 1;
}
