// Functions that access nothing but variables and what their arguments point into have a clone without checks, which the
// copy of a loop calls for whose objects the caller has asked.
// RUN: %clang -O2 -fno-vectorize -fno-unroll-loops -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -fno-vectorize -fno-unroll-loops -fopenmp -fplugin=%plugin -fplugin-arg-ompdsm-no-hoist -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF
// OFF-NOT: .unchecked(
void next(void);
extern double scale;

// CHECK-LABEL: define {{.*}}@rows(
// CHECK: call {{.*}}@dot.unchecked(
// CHECK: call i32 @__ompdsm_object_readable(ptr %1)
// CHECK-NEXT: call i32 @__ompdsm_object_readable(ptr %2)
// CHECK: call {{.*}}@dot(
// CHECK: {{^}}}
static __attribute__((noinline)) double dot(const double *a, const double *b, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}
void rows(double *y, const double *m, const double *x, const long *order, long n) {
  for (long i = 0; i < n; i++)
    y[i] = dot(m + order[i] * n, x, n);
}
// What is written is asked for so; a clone calls clones.
// CHECK-LABEL: define {{.*}}@updates(
// CHECK: call {{.*}}@outer.unchecked(
// CHECK: call i32 @__ompdsm_object_writable(ptr %0)
// CHECK: {{^}}}
static __attribute__((noinline)) void inner(double *a, long n) {
  for (long i = 0; i < n; i++)
    a[i] *= 2;
}
static __attribute__((noinline)) void outer(double *a, long n) {
  inner(a, n);
  inner(a + n, n);
}
void updates(double *a, long n) {
  for (long i = 0; i < n; i++)
    outer(a + i * n, 7);
}
// Variables, also of what it calls; those that are written, and those of unknown size.
// CHECK-LABEL: define {{.*}}@scales(
// CHECK: call {{.*}}@scaled.unchecked(
// CHECK: call i32 @__ompdsm_object_writable(ptr %0)
// CHECK-DAG: call i32 @__ompdsm_object_readable(ptr {{[a-z ]*}}@scale)
// CHECK-DAG: call i32 @__ompdsm_range_writable(ptr {{[a-z ]*}}@calls, i64 8)
// CHECK-DAG: call i32 @__ompdsm_range_readable(ptr {{[a-z ]*}}@offsets, i64 800)
// CHECK: {{^}}}
long calls;
double offsets[100];
void setOffset(int k, double x) { offsets[k] = x; }
static __attribute__((noinline)) double offsetOf(long k) { return offsets[k % 100]; }
static __attribute__((noinline)) void scaled(double *a, long k) {
  calls++;
  *a = *a * scale + offsetOf(k);
}
void scales(double *a, long n) {
  for (long i = 0; i < n; i++)
    scaled(a + i, i);
}
// A stack object that nobody else can reach may be handed on.
// CHECK-LABEL: define {{.*}}@privately(
// CHECK: call {{.*}}@spread.unchecked(
// CHECK: {{^}}}
static __attribute__((noinline)) double weighted(const double *w, const double *a, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++)
    sum += w[i] * a[i];
  return sum;
}
static __attribute__((noinline)) double spread(const double *a, long k, long n) {
  double weights[8];
  for (long i = 0; i < 8; i++)
    weights[i] = (double)(i * k);
  return weighted(weights, a, n & 7);
}
double privately(const double *a, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++)
    sum += spread(a + i, i, n);
  return sum;
}
// What it calls with a pointer that nobody has asked about checks it; the rest does not.
// CHECK-LABEL: define {{.*}}@partly(
// CHECK: call {{.*}}@which.unchecked(
// CHECK: {{^}}}
static __attribute__((noinline)) double second(const double *a) { return a[1] + a[200]; }
static __attribute__((noinline)) double which(const double *const *from, long k) { return second(from[k & 7]) + (double)k; }
double partly(const double *const *from, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++)
    sum += which(from, i);
  return sum;
}

// What it calls on the way to the end of the program may synchronise: what comes then has its check.
// CHECK-LABEL: define {{.*}}@positive(
// CHECK: call {{.*}}@half.unchecked(
// CHECK: {{^}}}
void message(long value) __attribute__((nothrow));
void leave(void) __attribute__((noreturn, nothrow));
static __attribute__((noinline)) long half(const long *a) {
  if (a[0] < 0) {
    next();
    message(a[1]);
    leave();
  }
  return a[0] / 2 + a[2];
}
long positive(const long *a, const int *restrict index, long n) {
  long sum = 0;
  for (long i = 0; i < n; i++)
    sum += half(a + index[i]);
  return sum;
}

// --- Not applied.

// It follows a pointer that is a variable; or one in its argument's object; it synchronises.
// CHECK-LABEL: define {{.*}}@others(
// CHECK-NOT: unchecked
// CHECK: {{^}}}
double *pointed;
static __attribute__((noinline)) void through(long i) { pointed[i] *= 2; }
static __attribute__((noinline)) void followed(double **a) { **a *= 2; }
static __attribute__((noinline)) void synchronising(double *a) {
  *a = 1;
  next();
  *a = 2;
}
void others(double *a, double **b, long n) {
  for (long i = 0; i < n; i++)
    through(i);
  for (long i = 0; i < n; i++)
    followed(b + i);
  for (long i = 0; i < n; i++)
    synchronising(a + i);
}
// There is nothing to ask about.
// CHECK-LABEL: define {{.*}}@privately_only(
// CHECK-NOT: call i32 @__ompdsm
// CHECK: {{^}}}
static __thread long own;
static __attribute__((noinline)) void count(void) { own = own * 3 + 1; }
void privately_only(long n) {
  for (long i = 0; i < n; i++)
    count();
}
// In no loop.
// CHECK-LABEL: define {{.*}}@once(
// CHECK-NOT: unchecked
// CHECK: {{^}}}
static __attribute__((noinline)) double first(const double *a) { return a[0] + a[100]; }
double once(const double *a) { return first(a); }
// The argument is another object in each iteration.
// CHECK-LABEL: define {{.*}}@each(
// CHECK-NOT: unchecked
// CHECK: {{^}}}
double each(double **a, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++)
    sum += dot(a[i], a[i], 3);
  return sum;
}

// CHECK-LABEL: define {{.*}}@dot.unchecked(
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
// CHECK-LABEL: define {{.*}}@outer.unchecked(
// CHECK-COUNT-2: @inner.unchecked(
// CHECK: {{^}}}
// CHECK-LABEL: define {{.*}}@scaled.unchecked(
// CHECK: call {{.*}}@offsetOf.unchecked(
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
// CHECK-LABEL: define {{.*}}@spread.unchecked(
// CHECK-NOT: __ompdsm
// CHECK: call {{.*}}@weighted.unchecked(
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
// CHECK-LABEL: define {{.*}}@which.unchecked(
// CHECK-NOT: __ompdsm
// CHECK: call {{.*}}@second(
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
// CHECK-LABEL: define {{.*}}@half.unchecked(
// CHECK-NOT: __ompdsm
// CHECK: call void @next()
// CHECK: call {{.*}}@__ompdsm_read_miss(
// CHECK: call void @message(
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
// CHECK-LABEL: define {{.*}}@inner.unchecked(
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
// CHECK-LABEL: define {{.*}}@offsetOf.unchecked(
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
