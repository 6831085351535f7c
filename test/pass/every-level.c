// Checks are there at every level, in functions that must not be optimised, too, and loops are still vectorised.
// RUN: %clang -O0 -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O1 -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O3 -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -Os -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -Oz -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -Og -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O3 -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=VECTOR
// CHECK-LABEL: define {{.*}}@add(
// CHECK-DAG: call {{.*}}void @__ompdsm_{{read_miss|loop_note_read}}(
// CHECK-DAG: call {{.*}}void @__ompdsm_{{write_miss|loop_note_write|section_note_overwrite}}(
// CHECK-LABEL: define {{.*}}@slow(
// CHECK: call preserve_mostcc void @__ompdsm_read_miss(
// VECTOR-LABEL: define {{.*}}@add(
// VECTOR: call void @__ompdsm_sections_ask(
// VECTOR: load <2 x double>
void add(double *restrict a, const double *restrict b, int n) {
  for (int i = 0; i < n; i++)
    a[i] = b[i] + 1;
}
__attribute__((optnone, noinline)) int slow(int *p) { return *p; }
