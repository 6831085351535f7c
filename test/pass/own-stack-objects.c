// A stack object that others know is asked for whole in front of a loop of its function that accesses it anyhow: it lies
// at this node, so nothing is fetched.
// RUN: %clang -O2 -fno-vectorize -fno-unroll-loops -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
void show(int *);

// CHECK-LABEL: define {{.*}}@histogram(
// CHECK: call void @show(
// CHECK: call void @__ompdsm_loop_note_write(ptr nonnull %[[COUNTS:.*]], i64 1024)
// CHECK: call void @__ompdsm_sections_ask()
// CHECK-NOT: __ompdsm_{{read|write|loop|section}}
// CHECK: call void @show(ptr {{.*}}%[[COUNTS]])
// CHECK: {{^}}}
void histogram(const unsigned char *values, long n) {
  int counts[256];
  show(counts);
  for (long i = 0; i < n; i++)
    counts[values[i]]++;
  show(counts);
}
// Conditionally, too.
// CHECK-LABEL: define {{.*}}@conditional(
// CHECK: call void @__ompdsm_loop_note_read(ptr nonnull %{{.*}}, i64 256)
// CHECK-NOT: __ompdsm_read_miss
// CHECK: {{^}}}
long conditional(const unsigned char *values, long n) {
  int weights[64];
  show(weights);
  long sum = 0;
  for (long i = 0; i < n; i++)
    if (values[i] < 64)
      sum += weights[values[i]];
  return sum;
}

// --- Not applied.

// Permissions end in the loop.
// CHECK-LABEL: define {{.*}}@synchronising(
// CHECK-NOT: call void @__ompdsm_loop_{{.*}}i64 1024)
// CHECK: __ompdsm_write_miss
// CHECK: {{^}}}
void synchronising(const unsigned char *values, long n) {
  int counts[256];
  for (long i = 0; i < n; i++) {
    counts[values[i]] = 1;
    show(counts);
  }
}
// It is another function's, perhaps at another node.
// CHECK-LABEL: define {{.*}}@others(
// CHECK-NOT: call void @__ompdsm_loop_{{.*}}i64 1024)
// CHECK: __ompdsm_write_miss
// CHECK: {{^}}}
void others(int *counts, const unsigned char *values, long n) {
  for (long i = 0; i < n; i++)
    counts[values[i]]++;
}
// A large one is asked about: __ompdsm_range_writable says whether all of it may be written.
// CHECK-LABEL: define {{.*}}@large(
// CHECK-NOT: call void @__ompdsm_loop_{{.*}}i64 400000)
// CHECK: call i32 @__ompdsm_range_writable(ptr {{.*}}, i64 400000)
// CHECK: {{^}}}
void large(const int *values, long n) {
  int counts[100000];
  show(counts);
  for (long i = 0; i < n; i++)
    counts[values[i]]++;
  show(counts);
}
