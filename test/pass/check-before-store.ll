; A store is preceded by the test of bit 1.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-LABEL: define void @write(
; CHECK: and i8 %{{.*}}, 2
; CHECK: call preserve_mostcc void @__ompdsm_write_miss(ptr %p, i64 8)
; CHECK-NOT: @__ompdsm_
; CHECK: store double %v, ptr %p
; CHECK: ret void
define void @write(ptr %p, double %v) {
  store double %v, ptr %p, align 8
  ret void
}
