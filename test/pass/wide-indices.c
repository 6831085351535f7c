// Indices of type int that may not overflow: nests have sections although the optimiser reassociates their sums and products.
// RUN: %clang -O3 -fno-unroll-loops -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O3 -fopenmp -fplugin=%plugin -S -emit-llvm %s -o %t.ll && %opt -passes=verify -disable-output %t.ll
// RUN: %clang -O3 -fno-unroll-loops -fopenmp -fplugin=%plugin -fplugin-arg-ompdsm-no-hoist -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF

// The butterflies of a Fourier transform, in both loops.
// CHECK-LABEL: define {{.*}}@butterflies(
// CHECK-NOT: phi
// CHECK: call void @__ompdsm_section_note_overwrite(
// CHECK: call void @__ompdsm_section_note_read(
// CHECK: call void @__ompdsm_sections_ask()
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
// OFF-LABEL: define {{.*}}@butterflies(
// OFF: phi
// OFF: call {{.*}}@__ompdsm_read_miss
// OFF: {{^}}}
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
// Products of invariant numbers, and differences.
// CHECK-LABEL: define {{.*}}@mirrored(
// CHECK-NOT: phi
// CHECK: call void @__ompdsm_section_overwrite(
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
void mirrored(double *points, int n, int width, int plane) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < width; k++)
      points[plane * n * width + (n - i) * 2 * width - k] = 1;
}
// Of an element that a function gives, as operator[] of a vector does.
static double *element(double *points, long index) { return points + index; }
static double *at(double *points, int width, int row, int column) {
  return element(points, row * width + column);
}
// CHECK-LABEL: define {{.*}}@smoothed(
// CHECK-NOT: phi
// CHECK: call void @__ompdsm_section_note_
// CHECK: call void @__ompdsm_sections_ask()
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
void smoothed(double *restrict to, double *restrict from, int rows, int width) {
  for (int i = 1; i < rows - 1; i++)
    for (int j = 1; j < width - 1; j++)
      *at(to, width, i, j) = *at(from, width, i, j - 1) + *at(from, width, i, j + 1) +
                             *at(from, width, i - 1, j) + *at(from, width, i + 1, j);
}

// --- Not applied.

// Unsigned numbers wrap, and a row may lie on both ends of the object.
// CHECK-LABEL: define {{.*}}@wrapping(
// CHECK-NOT: call void @__ompdsm_section
// CHECK: phi
// CHECK: {{^}}}
void wrapping(double *points, unsigned n, unsigned width) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k < width; k++)
      points[i * 7 * width + k] = 1;
}
// What wraps by request does, too.
// CHECK-LABEL: define {{.*}}@hashed(
// CHECK: mul i32
// CHECK: sext i32
// CHECK: {{^}}}
double hashed(const double *points, int key) {
  return points[(int)((unsigned)key * 2654435761u)];
}
