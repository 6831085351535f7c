; Stack objects whose address does not escape are not checked.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

; CHECK-NOT: _miss(
; CHECK-LABEL: define i32 @local(
define i32 @local(i32 %i) {
  %a = alloca [4 x i32]
  %p = getelementptr [4 x i32], ptr %a, i64 0, i32 %i
  store i32 1, ptr %p
  %v = load i32, ptr %a
  ret i32 %v
}
; CHECK-LABEL: define i32 @chosen(
define i32 @chosen(i1 %c) {
  %a = alloca i32
  %b = alloca i32
  %p = select i1 %c, ptr %a, ptr %b
  store i32 1, ptr %p
  %v = load i32, ptr %a
  ret i32 %v
}
; CHECK-LABEL: define void @lent(
define void @lent() {
  %a = alloca i32
  call void @borrow(ptr %a)
  store i32 1, ptr %a
  ret void
}
; libomp writes the bounds of a loop for the thread that asks.
; CHECK-LABEL: define i32 @bounds(
define i32 @bounds(ptr %loc, i32 %gtid) {
  %last = alloca i32
  %lower = alloca i32
  %upper = alloca i32
  %stride = alloca i32
  store i32 0, ptr %lower
  store i32 9, ptr %upper
  call void @__kmpc_for_static_init_4(ptr %loc, i32 %gtid, i32 34, ptr %last, ptr %lower, ptr %upper, ptr %stride, i32 1, i32 1)
  %v = load i32, ptr %lower
  ret i32 %v
}
; CHECK-LABEL: define i32 @by_value(
define i32 @by_value(ptr byval(i32) %a) {
  %v = load i32, ptr %a
  ret i32 %v
}
declare void @borrow(ptr captures(none))
declare void @__kmpc_for_static_init_4(ptr, i32, i32, ptr, ptr, ptr, ptr, i32, i32)
