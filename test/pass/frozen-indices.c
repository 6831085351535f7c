// An index that was widened and changes in an outer loop: it has a section, but later passes are not told that it is linear there.
// RUN: %clang -O3 -fno-unroll-loops -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O3 -fopenmp -fplugin=%plugin -S -emit-llvm %s -o %t.ll && %opt -passes=verify -disable-output %t.ll

// CHECK-LABEL: define {{.*}}@butterflies(
// CHECK: call void @__ompdsm_sections_ask()
// CHECK: phi i64
// CHECK: %[[INDEX:.*]] = freeze i64
// CHECK-NEXT: getelementptr {{.*}} i64 %[[INDEX]]
// CHECK: phi i64
// CHECK: {{^}}}
void butterflies(int blocks, int width, const double *restrict from, double *restrict to) {
  const int step = blocks * width;
  for (int block = 0; block < blocks; block++) {
    const double *in = from + block * width;
    double *out = to + 2 * block * width;
    for (int i = 0; i < width; i++) {
      const double a = in[i], b = in[i + step];
      out[i] = a + b;
      out[i + width] = a - b;
    }
  }
}

// --- Not applied.

// To what the program itself computes with 64 bits.
// CHECK-LABEL: define {{.*}}@rows(
// CHECK: call void @__ompdsm_section
// CHECK-NOT: freeze
// CHECK: {{^}}}
void rows(long n, long width, double *points) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < width; k++)
      points[i * width + k] += 1;
}
// To an index of which the inner loop needs nothing.
// CHECK-LABEL: define {{.*}}@sums(
// CHECK-NOT: freeze
// CHECK: {{^}}}
void sums(int n, int stride, double *restrict of, const double *restrict points) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (long k = 0; k < n; k++)
      sum += points[k * i];
    of[2 * i * stride] = sum;
  }
}
