// Copies of structures of floating-point numbers are loads and stores of their members, and have sections.
// RUN: %clang -O2 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -fopenmp -fplugin=%plugin -fplugin-arg-ompdsm-no-hoist -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF
struct Complex {
  double re, im;
};
struct Field {
  int n;
  struct Complex *points;
};

// A copy changes no pointer: the base is loaded once, in front of both loops.
// CHECK-LABEL: define {{.*}}@transposed(
// CHECK-NOT: phi
// CHECK: %[[BASE:.*]] = load ptr, ptr
// CHECK: call void @__ompdsm_section_note_read(ptr %1,
// CHECK: call void @__ompdsm_sections_ask()
// CHECK-NOT: load ptr
// CHECK-NOT: __ompdsm
// CHECK-NOT: memcpy
// CHECK: {{^}}}
// OFF-LABEL: define {{.*}}@transposed(
// OFF: call void @llvm.memcpy
// OFF: {{^}}}
void transposed(const struct Field *f, const struct Complex *restrict lines, long n) {
  for (long z = 0; z < n; z++)
    for (long x = 0; x < n; x++)
      f->points[z * n + x] = lines[x * 1000 + z];
}
// All is loaded before anything is stored: both may be the same structure.
// CHECK-LABEL: define {{.*}}@one(
// CHECK: %[[RE:.*]] = load double, ptr %1
// CHECK: %[[IM:.*]] = load double, ptr
// CHECK: store double %[[RE]], ptr %0
// CHECK: store double %[[IM]], ptr
// CHECK: {{^}}}
void one(struct Complex *to, const struct Complex *from) { *to = *from; }

// --- Not applied.

// Padding, and pointers.
struct Padded {
  float a;
  double b;
};
struct Pointers {
  double *first, *second;
};
// CHECK-LABEL: define {{.*}}@padded(
// CHECK: call void @llvm.memcpy
// CHECK: {{^}}}
void padded(struct Padded *to, const struct Padded *from) { *to = *from; }
// CHECK-LABEL: define {{.*}}@pointers(
// CHECK: call void @llvm.memcpy
// CHECK: {{^}}}
void pointers(struct Pointers *to, const struct Pointers *from) { *to = *from; }
// Volatile ones stay one.
// CHECK-LABEL: define {{.*}}@observed(
// CHECK: call void @llvm.memcpy{{.*}}, i64 16, i1 true)
// CHECK: {{^}}}
void observed(volatile struct Complex *to, const struct Complex *from) { *to = *from; }
