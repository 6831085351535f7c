// What is compiled for link-time optimisation is instrumented when it is compiled.
// RUN: %clang -O2 -flto=thin -fplugin=%plugin -c %s -o %t.thin.o && llvm-dis %t.thin.o -o - | FileCheck %s
// RUN: %clang -O2 -flto=full -fplugin=%plugin -c %s -o %t.full.o && llvm-dis %t.full.o -o - | FileCheck %s
// RUN: %clang -O2 -flto -ffat-lto-objects -fplugin=%plugin -c %s -o %t.fat.o && llvm-objdump -dr %t.fat.o | FileCheck %s --check-prefix=FAT
// CHECK: load atomic i8, {{.*}} acquire
// CHECK: @__ompdsm_read_miss
// CHECK-NOT: @__ompdsm_read_miss
// CHECK: ret i32
// FAT: __ompdsm_read_miss
// FAT-NOT: __ompdsm_read_miss
int read(const int *p) { return *p; }
