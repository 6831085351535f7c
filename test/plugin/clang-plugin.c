// clang -fplugin=: the function is instrumented, once, at every level, and __OMPDSM__ is defined.
// RUN: %clang -O0 -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -g -std=c89 -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// CHECK: call preserve_mostcc void @__ompdsm_read_miss
// CHECK-NOT: call {{.*}}_miss
// CHECK: ret i32
#if __OMPDSM__ != 1
#error the plugin does not define __OMPDSM__
#endif
int read(const int *p) { return *p; }
