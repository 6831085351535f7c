// Where an object is not readable as a whole, the loop with checks knows the longest part that is: an address in there
// needs no look at the state table.
// RUN: %clang -O2 -fno-vectorize -fno-unroll-loops -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -fopenmp -fplugin=%plugin -S -emit-llvm %s -o %t.ll && %opt -passes=verify -disable-output %t.ll
// RUN: %clang -O2 -fopenmp -fplugin=%plugin -fplugin-arg-ompdsm-no-runs -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF
// OFF-NOT: call {{.*}}@__ompdsm_readable_run
// What will be optimised again must keep its checks by the state table.
// RUN: %clang -O2 -flto -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF
void next(void);

// Few iterations are not worth the question: no part is known then (0 in front of the loop).
// CHECK-LABEL: define {{.*}}@gather(
// CHECK: call i32 @__ompdsm_object_readable(ptr %1)
// CHECK: %[[BEGIN:.*]] = tail call i64 @__ompdsm_readable_run(ptr %1)
// CHECK-NEXT: %[[BYTES:.*]] = call i64 @__ompdsm_readable_run_bytes(ptr %1)
// CHECK-NEXT: %[[OBJECT:.*]] = ptrtoint ptr %1 to i64
// CHECK-NEXT: %[[ORIGIN:.*]] = sub i64 %[[OBJECT]], %[[BEGIN]]
// CHECK-NEXT: %[[LIMIT:.*]] = call i64 @llvm.usub.sat.i64(i64 %[[BYTES]], i64 7)
// CHECK: %[[BELOW:.*]] = phi i64 [ {{%[0-9]+|0}}, %{{.*}} ], [ {{%[0-9]+|0}}, %{{.*}} ]
// CHECK: icmp ult i64 %{{.*}}, %[[BELOW]]
// CHECK: br i1
// CHECK: load volatile i8
// CHECK: __ompdsm_read_miss
// CHECK: {{^}}}
void gather(double *restrict y, const double *restrict x, const int *restrict index, long n) {
  for (long i = 0; i < n; i++)
    y[i] = x[index[i]];
}
// Not behind the synchronisation: 0 is below nothing.
// CHECK-LABEL: define {{.*}}@behind(
// CHECK: call i64 @__ompdsm_readable_run(ptr %0)
// CHECK: call void @next()
// CHECK-NOT: icmp ult i64 %{{.*}}, %
// CHECK: icmp ult i64 %{{.*}}, 0
// CHECK: load volatile i8
// CHECK: {{^}}}
double behind(const double *restrict x, const int *restrict index, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++)
    sum += x[index[i]];
  next();
  return sum + x[n];
}
// Where something is written it has to be writable.
// CHECK-LABEL: define {{.*}}@histogram(
// CHECK-NOT: __ompdsm_readable_run
// CHECK: {{^}}}
void histogram(long *restrict count, const unsigned char *restrict values, long n) {
  for (long i = 0; i < n; i++)
    count[values[i]]++;
}
// Each object takes registers: not of many.
// CHECK-LABEL: define {{.*}}@many(
// CHECK-NOT: __ompdsm_readable_run
// CHECK: {{^}}}
double many(const double *restrict a, const double *restrict b, const double *restrict c,
            const double *restrict d, const double *restrict e, const int *restrict index, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++)
    sum += a[index[i]] * b[index[i]] * c[index[i]] * d[index[i]] * e[index[i]];
  return sum;
}
// A sparse matrix: what a row has in two arrays is asked for together, and only if some of it lies outside of their
// parts; elements of the vector by their own.
// CHECK-LABEL: define {{.*}}@rows(
// CHECK-DAG: %[[NUMBERS:.*]] = tail call i64 @__ompdsm_readable_run(ptr %1)
// CHECK-DAG: %[[COLUMNS:.*]] = tail call i64 @__ompdsm_readable_run(ptr %2)
// CHECK-DAG: %[[VECTOR:.*]] = tail call i64 @__ompdsm_readable_run(ptr %3)
// CHECK: %[[ONE:.*]] = or i1
// CHECK: %[[OTHER:.*]] = or i1
// CHECK: %[[OUTSIDE:.*]] = or i1 {{%.*}}, {{%.*}}
// CHECK-NEXT: br i1 %[[OUTSIDE]], label %[[ASK:.*]], label %[[ROW:[0-9]+]]
// CHECK: {{^}}[[ASK]]:
// CHECK-NEXT: call void @__ompdsm_loop_note_read(
// CHECK-NEXT: call void @__ompdsm_loop_note_read(
// CHECK-NEXT: call void @__ompdsm_sections_ask()
// CHECK-NEXT: br label %[[ROW]]
// CHECK: call {{.*}}@__ompdsm_read_miss
// CHECK: {{^}}}
void rows(double *restrict y, const double *restrict numbers, const int *restrict columns,
          const double *restrict x, const int *restrict begins, int n) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int e = begins[i]; e < begins[i + 1]; e++)
      sum += numbers[e] * x[columns[e]];
    y[i] = sum;
  }
}
// Pointers that the inner loop loads itself: they are loaded in front of both loops, where that cannot fault, and what
// is asked about them is compared with addresses.
// CHECK-LABEL: define {{.*}}@members(
// CHECK: %[[FIRST:.*]] = tail call i64 @__ompdsm_readable_run(ptr %[[LOADED:[0-9]+]])
// CHECK-NEXT: %[[BYTES:.*]] = call i64 @__ompdsm_readable_run_bytes(ptr %[[LOADED]])
// CHECK-NEXT: call i64 @llvm.usub.sat.i64(i64 %[[BYTES]], i64 7)
// CHECK: %[[BEGIN:[0-9]+]] = phi i64 {{.*}}[ %[[FIRST]], %
// CHECK: %[[OFFSET:.*]] = sub i64 %{{.*}}, %[[BEGIN]]
// CHECK-NEXT: icmp ult i64 %[[OFFSET]], %
// CHECK: call {{.*}}@__ompdsm_read_miss
// CHECK: {{^}}}
struct matrix {
  int n;
  const int *begins;
  const double *numbers;
};
void members(const struct matrix *m, double *restrict y) {
  for (int i = 0; i < m->n; i++) {
    double sum = 0;
    for (int e = m->begins[i]; e < m->begins[i + 1]; e++)
      sum += m->numbers[e & 1023];
    y[i] = sum;
  }
}
