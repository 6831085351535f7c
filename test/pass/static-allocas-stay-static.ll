; An alloca behind an access in the entry block stays a static one.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-LABEL: define i32 @late(
; CHECK-NEXT: %b = alloca i32
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK-NOT: alloca i32
; CHECK: alloca i32, i32 %v
define i32 @late(ptr %p) {
  %v = load i32, ptr %p
  %b = alloca i32
  %c = alloca i32, i32 %v
  call void @keep(ptr %b, ptr %c)
  ret i32 %v
}
declare void @keep(ptr, ptr) nosync
