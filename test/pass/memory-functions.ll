; Memory functions of the library whose extents are arguments ask for them; others are the runtime's to intercept.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define i32 @compare(
; CHECK-DAG: call void @__ompdsm_range_read(ptr %a, i64 %n)
; CHECK-DAG: call void @__ompdsm_range_read(ptr %b, i64 %n)
; CHECK: call i32 @memcmp(
define i32 @compare(ptr %a, ptr %b, i64 %n) {
  %r = call i32 @memcmp(ptr %a, ptr %b, i64 %n)
  ret i32 %r
}
; CHECK-LABEL: define void @fill(
; CHECK: call void @__ompdsm_range_write(ptr %a, i64 %n)
; CHECK: @memset(
define void @fill(ptr %a, i64 %n) {
  %r = call ptr @memset(ptr %a, i32 0, i64 %n)
  ret void
}
; CHECK-LABEL: define i64 @length(
; CHECK-NOT: __ompdsm_
; CHECK: ret i64
define i64 @length(ptr %a) {
  %r = call i64 @strlen(ptr %a)
  ret i64 %r
}
declare i32 @memcmp(ptr, ptr, i64)
declare ptr @memset(ptr, i32, i64)
declare i64 @strlen(ptr)
