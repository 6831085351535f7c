; Stack objects whose address escapes are shared.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-LABEL: define i32 @passed(
; CHECK: @__ompdsm_read_miss(ptr %a, i64 4)
define i32 @passed() {
  %a = alloca i32
  call void @keep(ptr %a)
  %v = load i32, ptr %a
  ret i32 %v
}
; CHECK-LABEL: define void @stored(
; CHECK: @__ompdsm_write_miss(ptr %where, i64 8)
; CHECK: @__ompdsm_write_miss(ptr %a, i64 4)
define void @stored(ptr %where) {
  %a = alloca i32
  store ptr %a, ptr %where
  store i32 1, ptr %a
  ret void
}
; One of the two objects may be shared.
; CHECK-LABEL: define i32 @either(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define i32 @either(i1 %c, ptr %shared) {
  %a = alloca i32
  %p = select i1 %c, ptr %a, ptr %shared
  %v = load i32, ptr %p
  ret i32 %v
}
; A function that runs another one in other threads hands them the address, whatever its attributes say.
; CHECK-LABEL: define void @forked(
; CHECK: @__ompdsm_write_miss(ptr %a, i64 4)
define void @forked(ptr %loc) {
  %a = alloca i32
  store i32 1, ptr %a
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr %loc, i32 1, ptr @passed, ptr captures(none) %a)
  ret void
}
declare void @keep(ptr)
declare !callback !0 void @__kmpc_fork_call(ptr, i32, ptr, ...)
!0 = !{!1}
!1 = !{i64 2, i64 -1, i64 -1, i1 true}
