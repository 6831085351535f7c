// Sections of one object that an inner loop asks for in front of it: one question about all that lies between the first
// and the last says whether they need to be asked for. It fetches nothing.
// RUN: %clang -O2 -fno-vectorize -fno-unroll-loops -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O3 -fopenmp -fplugin=%plugin -S -emit-llvm %s -o %t.ll && %opt -passes=verify -disable-output %t.ll

// CHECK-LABEL: define {{.*}}@parts(
// CHECK: %[[YES:.*]] = {{.*}}call i32 @__ompdsm_hull_readable(ptr %{{.*}}, i64 %{{.*}})
// CHECK: %[[NONE:.*]] = icmp eq i32 %[[YES]], 0
// CHECK-NEXT: br i1 %[[NONE]], label %[[ASK:[0-9]+]], label %[[LOOP:[0-9]+]]
// CHECK: {{^}}[[ASK]]:
// CHECK-COUNT-4: call void @__ompdsm_loop_note_read(ptr %{{.*}}, i64 %{{.*}})
// CHECK: call void @__ompdsm_sections_ask()
// CHECK-NEXT: br label %[[LOOP]]
// CHECK: {{^}}}
double parts(const double *const *a, long n, long step) {
  double sum = 0;
  for (long i = 0; i < n; i++) {
    const double *row = a[i];
    for (long k = 0; k < step; k++)
      sum += row[k] * row[k + step] + row[k + 2 * step] * row[k + 3 * step];
  }
  return sum;
}
// Objects that are read and written are asked about apart, each from the lowest address on: rows may be backwards.
// CHECK-LABEL: define {{.*}}@halves(
// CHECK-DAG: call i32 @__ompdsm_hull_readable(
// CHECK-DAG: call i32 @__ompdsm_hull_writable(
// CHECK: and i32
// CHECK: br i1
// CHECK: call void @__ompdsm_sections_ask()
// CHECK: {{^}}}
void halves(double *const *a, const double *const *b, long n, long m, long turn, long step) {
  for (long i = 0; i < n; i++) {
    double *restrict out = a[i];
    const double *restrict in = b[i];
    for (long k = 0; k < m; k++)
      for (long j = 0; j < 4; j++) {
        out[k * turn + j] = in[k * turn + j] + in[k * turn + j + step];
        out[k * turn + j + 2 * step] = in[k * turn + j + 2 * step] - in[k * turn + j + 3 * step];
      }
  }
}

// --- Not applied.

// It would not save a call.
// CHECK-LABEL: define {{.*}}@two(
// CHECK-NOT: __ompdsm_hull
// CHECK: {{^}}}
double two(const double *const *a, long n, long step) {
  double sum = 0;
  for (long i = 0; i < n; i++) {
    const double *row = a[i];
    for (long k = 0; k < step; k++)
      sum += row[k] * row[k + step];
  }
  return sum;
}
