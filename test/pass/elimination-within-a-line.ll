; States are per line: a check opens all of a line that is known to hold the bytes.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

@line = global [16 x i32] zeroinitializer, align 64

; CHECK-LABEL: define i32 @same_line(
; CHECK: @__ompdsm_read_miss(ptr @line, i64 64)
; CHECK-NOT: _miss(
; CHECK: ret i32
define i32 @same_line() {
  %a = load i32, ptr @line
  %q = getelementptr i8, ptr @line, i64 60
  %b = load i32, ptr %q
  %s = add i32 %a, %b
  ret i32 %s
}
; CHECK-LABEL: define i32 @next_line(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: @__ompdsm_read_miss(ptr %q{{[0-9]*}}, i64 4)
define i32 @next_line(ptr align 64 %p) {
  %a = load i32, ptr %p
  %q = getelementptr i8, ptr %p, i64 64
  %b = load i32, ptr %q
  ret i32 %b
}
; CHECK-LABEL: define i32 @unknown_line(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: @__ompdsm_read_miss(ptr %q{{[0-9]*}}, i64 4)
define i32 @unknown_line(ptr align 16 %p) {
  %a = load i32, ptr %p
  %q = getelementptr i8, ptr %p, i64 61
  %b = load i32, ptr %q
  ret i32 %b
}
