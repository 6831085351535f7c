// What a small function accesses by its arguments is asked for in front of the caller's loop, as a section, and the loop
// calls a clone without checks.
// RUN: %clang -O2 -fno-vectorize -fno-unroll-loops -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O3 -fopenmp -fplugin=%plugin -S -emit-llvm %s -o %t.ll && %opt -passes=verify -disable-output %t.ll
#define NOINLINE __attribute__((noinline))
void next(void);

// All rows together, and nothing if n is not positive.
// CHECK-LABEL: define {{.*}}@rows(
// CHECK: %[[SQUARE:.*]] = mul i64 %2, %2
// CHECK: %[[BYTES:.*]] = shl i64 %[[SQUARE]], 3
// CHECK: call void @__ompdsm_loop_note_read(ptr %1, i64 %[[BYTES]])
// CHECK: call void @__ompdsm_loop_note_write(ptr %0,
// CHECK: call void @__ompdsm_sections_ask()
// CHECK-NOT: __ompdsm
// CHECK: call {{.*}}@sum.unchecked(
// CHECK-NOT: @sum(
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
static NOINLINE double sum(const double *a, long n) {
  double all = 0;
  for (long i = 0; i < n; i++)
    all += a[i];
  return all;
}
void rows(double *restrict y, const double *restrict m, long n) {
  for (long i = 0; i < n; i++)
    y[i] = sum(m + i * n, n);
}
// The callee's loop may not run: then the section is empty.
// CHECK-LABEL: define {{.*}}@perhaps(
// CHECK: %[[SOME:.*]] = icmp sgt i64 %2, 0
// CHECK: %[[ROWS:.*]] = select i1 %[[SOME]], i64 %1, i64 0
// CHECK: call void @__ompdsm_section_read(ptr %0, i64 %{{.*}}, i64 800, i64 %[[ROWS]], i64 0, i64 1)
// CHECK: call {{.*}}@sum.unchecked(
// CHECK: {{^}}}
double perhaps(const double *m, long rows, long n) {
  double all = 0;
  for (long i = 0; i < rows; i++)
    all += sum(m + i * 100, n);
  return all;
}
// Members by constant offsets; a variable; a condition on an argument.
// CHECK-LABEL: define {{.*}}@members(
// CHECK: call void @__ompdsm_loop_note_write(ptr %0,
// CHECK: %[[UNSCALED:.*]] = icmp eq i32 %2, 0
// CHECK: %[[READ:.*]] = select i1 %[[UNSCALED]], i64 0, i64 8
// CHECK: call void @__ompdsm_loop_note_read(ptr {{.*}}@scale, i64 %[[READ]])
// CHECK: call void @__ompdsm_sections_ask()
// CHECK-NOT: __ompdsm
// CHECK: call {{.*}}@setMembers.unchecked(
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
struct Members {
  double x, y, z;
};
double scale;
void setScale(double to) { scale = to; }
static NOINLINE void setMembers(struct Members *to, double x, int scaled) {
  to->x = x;
  to->y = x + 1;
  to->z = x * x;
  if (scaled)
    to->z *= scale;
}
void members(struct Members *all, long n, int scaled) {
  for (long i = 0; i < n; i++)
    setMembers(all + i, (double)i, scaled);
}

// --- Not applied: no section of the callee's is asked for.

// On a condition on what it loads.
// CHECK-LABEL: define {{.*}}@loaded(
// CHECK-NOT: call void @__ompdsm_loop
// CHECK: {{^}}}
static NOINLINE void clear(double *a, const int *wanted) {
  if (*wanted)
    *a = 0;
}
void loaded(double *a, const int *wanted, long n) {
  for (long i = 0; i < n; i++)
    clear(a + i, wanted + i);
}
// On a condition on a pointer, which may point to nothing.
// CHECK-LABEL: define {{.*}}@nothing(
// CHECK-NOT: call void @__ompdsm_loop
// CHECK: {{^}}}
static NOINLINE double valueOf(const double *a) { return a ? *a : 0; }
double nothing(const double *a, long n) {
  double all = 0;
  for (long i = 0; i < n; i++)
    all += valueOf(a);
  return all;
}
// Behind something that may end the program.
// CHECK-LABEL: define {{.*}}@ending(
// CHECK-NOT: call void @__ompdsm_loop
// CHECK: {{^}}}
static NOINLINE void unless(double *a, int wrong) {
  if (wrong)
    __builtin_trap();
  *a = 1;
}
void ending(double *a, const int *wrong, long n) {
  for (long i = 0; i < n; i++)
    unless(a + i, wrong[i & 1]);
}
// It synchronises; it calls itself; another definition may replace it; it is not known which it is; it takes any arguments.
// CHECK-LABEL: define {{.*}}@others(
// CHECK-NOT: unchecked
// CHECK: {{^}}}
static NOINLINE void synchronising(double *a) {
  *a = 1;
  next();
  *a = 2;
}
static NOINLINE void recursive(double *a, long n) {
  if (n > 0) {
    recursive(a + 1, n - 1);
    a[n & 1] = (double)n;
    recursive(a, n - 2);
  }
}
NOINLINE __attribute__((weak)) void replaceable(double *a) { *a = 1; }
static NOINLINE void variadic(double *a, ...) {
  __builtin_va_list arguments;
  __builtin_va_start(arguments, a);
  *a = (double)__builtin_va_arg(arguments, long);
  __builtin_va_end(arguments);
}
void others(double *a, void (*unknown)(double *), long n) {
  for (long i = 0; i < n; i++)
    synchronising(a + i);
  for (long i = 0; i < n; i++)
    replaceable(a + i);
  for (long i = 0; i < n; i++)
    unknown(a + i);
  for (long i = 0; i < n; i++)
    variadic(a + i, i);
}
// CHECK-LABEL: define {{.*}}@again(
// CHECK-NOT: call void @__ompdsm_loop
// CHECK: {{^}}}
void again(double *a, long n) {
  for (long i = 0; i < n; i++)
    recursive(a + i, 3);
}
// In some iterations only.
// CHECK-LABEL: define {{.*}}@sometimes(
// CHECK-NOT: call void @__ompdsm_{{loop|section}}_{{(note_)?}}read(ptr %1,
// CHECK: {{^}}}
double sometimes(const int *wanted, const double *m, long n) {
  double all = 0;
  for (long i = 0; i < n; i++)
    if (wanted[i])
      all += sum(m + i * n, n);
  return all;
}

// CHECK-LABEL: define {{.*}}@sum.unchecked(
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
