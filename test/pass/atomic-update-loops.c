// Atomic updates of which the front end makes a loop of compare-exchanges become one call with what the loop computes,
// as a function of the old value and of one other value; or an instruction, if there is one.
// RUN: %clang -O2 -fopenmp -fplugin=%plugin -S -emit-llvm %s -o %t.ll && FileCheck %s < %t.ll
// RUN: %opt -passes=verify -disable-output %t.ll

// Where this node is the home, the loop is there as it was.
// CHECK-LABEL: define {{.*}}@sumOfFloats(
// CHECK-NOT: __ompdsm_atomic_{{load|cmpxchg}}
// CHECK: %[[BITS:.*]] = bitcast double %1 to i64
// CHECK: call void @__ompdsm_atomic_apply(ptr %0, i64 %[[BITS]], ptr @[[SUM:ompdsm[^,]*]], i32 4)
// CHECK: load atomic i32, ptr %0 monotonic
// CHECK: fadd double
// CHECK: cmpxchg ptr %0
// CHECK: {{^}}}
void sumOfFloats(float *to, double x) {
#pragma omp atomic
  *to += x;
}
// CHECK-LABEL: define {{.*}}@quotient(
// CHECK: call i64 @__ompdsm_atomic_apply_old(ptr %0, i64 %{{.*}}, ptr @ompdsm{{[^,]*}}, i32 8)
// CHECK: fdiv double %1, %
// CHECK: ret double
double quotient(double *of, double by) {
  double after;
#pragma omp atomic capture
  after = *of = by / *of;
  return after;
}
// CHECK-LABEL: define {{.*}}@doubled(
// CHECK: call void @__ompdsm_atomic_apply(ptr %0, i64 0, ptr @ompdsm{{[^,]*}}, i32 2)
void doubled(short *it) {
#pragma omp atomic
  *it <<= 1;
}
// CHECK-LABEL: define {{.*}}@bytes(
// CHECK: call void @__ompdsm_atomic_update(ptr %0, i64 %{{.*}}, i32 1, i32 1)
void bytes(unsigned char *to, int x) {
#pragma omp atomic
  *to += x;
}
// Two values from outside, another order, and what is no such loop: as they are.
// CHECK-LABEL: define {{.*}}@others(
// CHECK-NOT: __ompdsm_atomic_apply
// CHECK: {{^}}}
void others(double *to, double x, double y, long *counter, long limit) {
  double old, desired;
  __atomic_load(to, &old, __ATOMIC_RELAXED);
  do
    desired = old * x + y;
  while (!__atomic_compare_exchange(to, &old, &desired, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
#pragma omp atomic seq_cst
  *to *= x;
  long before = __atomic_load_n(counter, __ATOMIC_RELAXED);
  while (before < limit && !__atomic_compare_exchange_n(counter, &before, before * 2, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}
// CHECK: define internal i64 @[[SUM]](i64 %0, i64 %1)
// CHECK-NOT: {{load|store|call}}
// CHECK: fpext float
// CHECK: ret i64
