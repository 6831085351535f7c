; The dynamic linker calls resolvers before the runtime is there: they have no checks.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s
; CHECK-LABEL: define ptr @resolve(
; CHECK-NOT: __ompdsm
; CHECK: ret ptr
; CHECK-LABEL: define i32 @other(
; CHECK: __ompdsm_read_miss
@choice = external global i32
@chosen = ifunc i32 (), ptr @resolve
define ptr @resolve() {
  %v = load i32, ptr @choice
  %c = icmp eq i32 %v, 0
  %f = select i1 %c, ptr @other, ptr null
  ret ptr %f
}
define i32 @other() {
  %v = load i32, ptr @choice
  ret i32 %v
}
