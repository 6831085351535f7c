; Volatile accesses of code that comes to the plugin late are checked as all others.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-LABEL: define i32 @read(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: load volatile i32, ptr %p
define i32 @read(ptr %p) {
  %v = load volatile i32, ptr %p
  ret i32 %v
}
