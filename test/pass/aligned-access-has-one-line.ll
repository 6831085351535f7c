; Accesses of at most their alignment test one group, and then one line, up to a whole line.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-LABEL: define <8 x double> @line(
; CHECK-COUNT-2: load volatile i8
; CHECK-NOT: load volatile i8
; CHECK: @__ompdsm_read_miss(ptr %p, i64 64)
; CHECK-NOT: load volatile i8
define <8 x double> @line(ptr %p) {
  %v = load <8 x double>, ptr %p, align 64
  ret <8 x double> %v
}

; CHECK-LABEL: define x86_fp80 @extended(
; CHECK-COUNT-2: load volatile i8
; CHECK-NOT: load volatile i8
; CHECK: @__ompdsm_read_miss(ptr %p, i64 10)
define x86_fp80 @extended(ptr %p) {
  %v = load x86_fp80, ptr %p, align 16
  ret x86_fp80 %v
}

; CHECK-LABEL: define i1 @bit(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 1)
define i1 @bit(ptr %p) {
  %v = load i1, ptr %p
  ret i1 %v
}
