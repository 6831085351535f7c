; The option no-eliminate keeps every check.
; RUN: env OMPDSM_PASS_OPTIONS=no-eliminate %opt -passes=ompdsm -S %s | FileCheck %s
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s --check-prefix=WITHOUT

; CHECK: @__ompdsm_read_miss(
; CHECK: @__ompdsm_write_miss(
; WITHOUT-NOT: @__ompdsm_read_miss(
define void @increment(ptr %p) {
  %a = load i32, ptr %p
  %b = add i32 %a, 1
  store i32 %b, ptr %p
  ret void
}
