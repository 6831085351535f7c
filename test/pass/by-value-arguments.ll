; Passing an object by value reads it before the call.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

%S = type { [10 x i64] }
; CHECK-LABEL: define void @pass(
; CHECK-NEXT: call void @__ompdsm_range_read(ptr %p, i64 80)
; CHECK-NEXT: call void @take(
define void @pass(ptr %p) {
  call void @take(ptr byval(%S) align 8 %p)
  ret void
}
; An object that is returned through a pointer is written by ordinary stores.
; CHECK-LABEL: define void @give(
; CHECK: @__ompdsm_write_miss(ptr %result, i64 8)
define void @give(ptr noalias sret(%S) %result) {
  store i64 1, ptr %result
  ret void
}
declare void @take(ptr byval(%S) align 8)
