; A check of the same bytes in the same block makes a later one redundant.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-LABEL: define i32 @twice(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK-NOT: _miss(
; CHECK: ret i32
define i32 @twice(ptr %p) {
  %a = load i32, ptr %p
  %b = load i32, ptr %p
  %s = add i32 %a, %b
  ret i32 %s
}
; A part of what was asked for.
; CHECK-LABEL: define i16 @part(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 8)
; CHECK-NOT: _miss(
; CHECK: ret i16
define i16 @part(ptr %p) {
  %a = load i64, ptr %p
  %q = getelementptr i8, ptr %p, i64 6
  %b = load i16, ptr %q
  ret i16 %b
}
; More than what was asked for: all is asked for at once.
; CHECK-LABEL: define i64 @more(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 8)
; CHECK-NOT: _miss(
; CHECK: ret i64
define i64 @more(ptr %p) {
  %a = load i16, ptr %p
  %b = load i64, ptr %p
  ret i64 %b
}
; Permission to write includes permission to read, not the other way round.
; CHECK-LABEL: define i32 @write_then_read(
; CHECK: @__ompdsm_write_miss(ptr %p, i64 4)
; CHECK-NOT: _miss(
; CHECK: ret i32
define i32 @write_then_read(ptr %p) {
  store i32 1, ptr %p
  %a = load i32, ptr %p
  ret i32 %a
}
; CHECK-LABEL: define i32 @other_object(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: @__ompdsm_read_miss(ptr %q, i64 4)
define i32 @other_object(ptr %p, ptr %q) {
  %a = load i32, ptr %p
  %b = load i32, ptr %q
  ret i32 %b
}
; A range that was asked for covers its parts.
; CHECK-LABEL: define i8 @of_a_range(
; CHECK: @__ompdsm_range_write(ptr %p, i64 100)
; CHECK-NOT: _miss(
; CHECK: ret i8
define i8 @of_a_range(ptr %p) {
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 100, i1 false)
  %q = getelementptr i8, ptr %p, i64 99
  %v = load i8, ptr %q
  ret i8 %v
}
