// __builtin_cpu_supports reads what a constructor filled in; other nodes run none, so it is called.
// RUN: %clang -fpass-plugin=%plugin -O1 -S -emit-llvm %s -o - | FileCheck %s
// CHECK-LABEL: define {{.*}}@supports(
// CHECK: call i32 @__cpu_indicator_init()
// CHECK-LABEL: define {{.*}}@plain(
// CHECK-NOT: __cpu_indicator_init
// CHECK: ret
int supports(void) { return __builtin_cpu_supports("avx2"); }
int plain(void) { return 1; }
