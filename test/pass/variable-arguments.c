// Lists of variable arguments: private ones are not checked, shared ones are.
// RUN: %clang -O1 -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
#include <stdarg.h>
// CHECK-LABEL: define {{.*}} @last(
// CHECK: call void @llvm.va_start
// CHECK: ret i32
int last(int n, ...) {
  va_list list;
  va_start(list, n);
  int v = 0;
  while (n--)
    v = va_arg(list, int);
  va_end(list);
  return v;
}
// CHECK-LABEL: define {{.*}} @start(
// CHECK: @__ompdsm_write_miss(ptr {{.*}}, i64 24)
// CHECK: call void @llvm.va_start
void start(va_list *list, ...) { va_start(*list, list); }
