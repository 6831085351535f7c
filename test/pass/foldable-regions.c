// RUN: %clang -fopenmp -O2 -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -fopenmp -O1 -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// Regions whose threads never wait for one another have another mark than those that may, or that use
// a thread's own variables.
#include <omp.h>
#include <stdlib.h>
extern void unknown(void);
extern double sine(double) __attribute__((const));
double a[100], total;
int flag;
int own;
#pragma omp threadprivate(own)

// CHECK-LABEL: define {{.*}}void @loops.omp_outlined(
// CHECK-SAME: prefix [2 x i64] [i64 [[MARK:-7175690295241062611]], i64 [[FOLDABLE:-3316962635350305203]]]
void loops(int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[i] += sine(a[i]) * omp_get_thread_num();
}
static double *make(int n) {
  double *p = malloc((size_t)n * sizeof *p);
  if (!p)
    exit(1);
  return p;
}
// CHECK-LABEL: define {{.*}}void @calls.omp_outlined(
// CHECK-SAME: i64 [[FOLDABLE]]]
void calls(int n) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; i++) {
    double *p = make(i);
    p[0] = i;
    a[i] = p[0];
    free(p);
  }
}
// CHECK-LABEL: define {{.*}}void @sums.omp_outlined(
// CHECK-SAME: i64 [[FOLDABLE]]]
double sums(int n) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += a[i];
  return sum;
}
// CHECK-LABEL: define {{.*}}void @updates.omp_outlined(
// CHECK-SAME: i64 [[FOLDABLE]]]
void updates(int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    total += a[i];
#pragma omp critical
    a[0]++;
  }
}
// The barrier at the end of a region is one too many.
// CHECK-LABEL: define {{.*}}void @barrierAtEnd.omp_outlined(
// CHECK-SAME: i64 [[FOLDABLE]]]
void barrierAtEnd(int n) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; i++)
      a[i] = 1;
  }
}
// CHECK-LABEL: define {{.*}}void @barrier.omp_outlined(
// CHECK-SAME: i64 [[OTHER:5906409401504470605]]]
void barrier(int n) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; i++)
      a[i] = 1;
#pragma omp for
    for (int i = 1; i < n; i++)
      a[i] = a[i - 1];
  }
}
// CHECK-LABEL: define {{.*}}void @unknownCallee.omp_outlined(
// CHECK-SAME: i64 [[OTHER]]]
void unknownCallee(int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    unknown();
}
// CHECK-LABEL: define {{.*}}void @threadPrivate.omp_outlined(
// CHECK-SAME: i64 [[OTHER]]]
void threadPrivate(int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    own += i;
}
static void useOwn(int i) { own += i; }
// CHECK-LABEL: define {{.*}}void @threadPrivateInCallee.omp_outlined(
// CHECK-SAME: i64 [[OTHER]]]
void threadPrivateInCallee(int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    useOwn(i);
}
// CHECK-LABEL: define {{.*}}void @spins.omp_outlined(
// CHECK-SAME: i64 [[OTHER]]]
void spins(void) {
#pragma omp parallel
  {
    int raised = 0;
    while (!raised) {
#pragma omp atomic read
      raised = flag;
    }
  }
}
// An update that changes nothing is a look at what is there.
// CHECK-LABEL: define {{.*}}void @barrierOfItsOwn.omp_outlined(
// CHECK-SAME: i64 [[OTHER]]]
void barrierOfItsOwn(void) {
#pragma omp parallel
  {
    __sync_fetch_and_add(&flag, 1);
    while (__sync_fetch_and_add(&flag, 0) < omp_get_num_threads())
      ;
  }
}
// CHECK-LABEL: define {{.*}}void @awaitsToken.omp_outlined(
// CHECK-SAME: i64 [[OTHER]]]
void awaitsToken(void) {
#pragma omp parallel
  while (!__atomic_exchange_n(&flag, 0, __ATOMIC_SEQ_CST))
    ;
}
// CHECK-LABEL: define {{.*}}void @numbers.omp_outlined(
// CHECK-SAME: i64 [[FOLDABLE]]]
void numbers(int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[__sync_fetch_and_add(&flag, 1)] = i;
}
// CHECK-LABEL: define {{.*}}void @looksAtVolatile.omp_outlined(
// CHECK-SAME: i64 [[OTHER]]]
void looksAtVolatile(volatile int *p) {
#pragma omp parallel
  while (!*p)
    ;
}
// CHECK-LABEL: define {{.*}}void @single.omp_outlined(
// CHECK-SAME: i64 [[OTHER]]]
void single(void) {
#pragma omp parallel
  {
#pragma omp single
    a[0] = 1;
    a[omp_get_thread_num()] = a[0];
  }
}
// CHECK-LABEL: define {{.*}}void @tasks.omp_outlined(
// CHECK-SAME: i64 [[OTHER]]]
void tasks(void) {
#pragma omp parallel
#pragma omp master
#pragma omp task
  a[0] = 1;
}
// CHECK-LABEL: define {{.*}}void @ordered.omp_outlined(
// CHECK-SAME: i64 [[OTHER]]]
void ordered(int n) {
#pragma omp parallel for ordered
  for (int i = 0; i < n; i++)
#pragma omp ordered
    a[0] += a[i];
}
// CHECK-LABEL: define {{.*}}void @nested.omp_outlined(
// CHECK-SAME: i64 [[OTHER]]]
void nested(int n) {
#pragma omp parallel
  loops(n);
}
// What the objects point to ends with the thread's part.
typedef struct {
  double *values;
} Vector;
extern Vector makeVector(void);
#pragma omp declare reduction(add : Vector : omp_out.values[0] += omp_in.values[0])                \
    initializer(omp_priv = makeVector())
// CHECK-LABEL: define {{.*}}void @pointersInReduction.omp_outlined(
// CHECK-SAME: i64 [[OTHER]]]
void pointersInReduction(int n, Vector *result) {
  Vector sum = *result;
#pragma omp parallel for reduction(add : sum)
  for (int i = 0; i < n; i++)
    sum.values[0] += a[i];
  *result = sum;
}
