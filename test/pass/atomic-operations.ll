; Each operation of atomicrmw has its number in abi.h.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-NOT: atomicrmw
; CHECK-LABEL: define i32 @xchg(
; CHECK: call i64 @__ompdsm_atomic_rmw(ptr %p, i64 %{{.*}}, i32 0, i32 4, i32 5)
define i32 @xchg(ptr %p, i32 %v) {
  %r = atomicrmw xchg ptr %p, i32 %v seq_cst
  ret i32 %r
}
; CHECK-LABEL: define i32 @add(
; CHECK: call i64 @__ompdsm_atomic_rmw(ptr %p, i64 %{{.*}}, i32 1, i32 4, i32 5)
define i32 @add(ptr %p, i32 %v) {
  %r = atomicrmw add ptr %p, i32 %v seq_cst
  ret i32 %r
}
; CHECK-LABEL: define i32 @sub(
; CHECK: call i64 @__ompdsm_atomic_rmw(ptr %p, i64 %{{.*}}, i32 2, i32 4, i32 5)
define i32 @sub(ptr %p, i32 %v) {
  %r = atomicrmw sub ptr %p, i32 %v seq_cst
  ret i32 %r
}
; CHECK-LABEL: define i32 @and(
; CHECK: call i64 @__ompdsm_atomic_rmw(ptr %p, i64 %{{.*}}, i32 3, i32 4, i32 5)
define i32 @and(ptr %p, i32 %v) {
  %r = atomicrmw and ptr %p, i32 %v seq_cst
  ret i32 %r
}
; CHECK-LABEL: define i32 @nand(
; CHECK: call i64 @__ompdsm_atomic_rmw(ptr %p, i64 %{{.*}}, i32 4, i32 4, i32 5)
define i32 @nand(ptr %p, i32 %v) {
  %r = atomicrmw nand ptr %p, i32 %v seq_cst
  ret i32 %r
}
; CHECK-LABEL: define i32 @or(
; CHECK: call i64 @__ompdsm_atomic_rmw(ptr %p, i64 %{{.*}}, i32 5, i32 4, i32 5)
define i32 @or(ptr %p, i32 %v) {
  %r = atomicrmw or ptr %p, i32 %v seq_cst
  ret i32 %r
}
; CHECK-LABEL: define i32 @xor(
; CHECK: call i64 @__ompdsm_atomic_rmw(ptr %p, i64 %{{.*}}, i32 6, i32 4, i32 5)
define i32 @xor(ptr %p, i32 %v) {
  %r = atomicrmw xor ptr %p, i32 %v seq_cst
  ret i32 %r
}
; CHECK-LABEL: define i32 @max(
; CHECK: call i64 @__ompdsm_atomic_rmw(ptr %p, i64 %{{.*}}, i32 7, i32 4, i32 5)
define i32 @max(ptr %p, i32 %v) {
  %r = atomicrmw max ptr %p, i32 %v seq_cst
  ret i32 %r
}
; CHECK-LABEL: define i32 @min(
; CHECK: call i64 @__ompdsm_atomic_rmw(ptr %p, i64 %{{.*}}, i32 8, i32 4, i32 5)
define i32 @min(ptr %p, i32 %v) {
  %r = atomicrmw min ptr %p, i32 %v seq_cst
  ret i32 %r
}
; CHECK-LABEL: define i32 @umax(
; CHECK: call i64 @__ompdsm_atomic_rmw(ptr %p, i64 %{{.*}}, i32 9, i32 4, i32 5)
define i32 @umax(ptr %p, i32 %v) {
  %r = atomicrmw umax ptr %p, i32 %v seq_cst
  ret i32 %r
}
; CHECK-LABEL: define i32 @umin(
; CHECK: call i64 @__ompdsm_atomic_rmw(ptr %p, i64 %{{.*}}, i32 10, i32 4, i32 5)
define i32 @umin(ptr %p, i32 %v) {
  %r = atomicrmw umin ptr %p, i32 %v seq_cst
  ret i32 %r
}
; CHECK-LABEL: define double @fadd(
; CHECK: call i64 @__ompdsm_atomic_rmw(ptr %p, i64 %{{.*}}, i32 11, i32 8, i32 0)
define double @fadd(ptr %p, double %v) {
  %r = atomicrmw fadd ptr %p, double %v monotonic
  ret double %r
}
; CHECK-LABEL: define double @fsub(
; CHECK: call i64 @__ompdsm_atomic_rmw(ptr %p, i64 %{{.*}}, i32 12, i32 8, i32 0)
define double @fsub(ptr %p, double %v) {
  %r = atomicrmw fsub ptr %p, double %v monotonic
  ret double %r
}
; CHECK-LABEL: define double @fmax(
; CHECK: call i64 @__ompdsm_atomic_rmw(ptr %p, i64 %{{.*}}, i32 13, i32 8, i32 0)
define double @fmax(ptr %p, double %v) {
  %r = atomicrmw fmax ptr %p, double %v monotonic
  ret double %r
}
; CHECK-LABEL: define double @fmin(
; CHECK: call i64 @__ompdsm_atomic_rmw(ptr %p, i64 %{{.*}}, i32 14, i32 8, i32 0)
define double @fmin(ptr %p, double %v) {
  %r = atomicrmw fmin ptr %p, double %v monotonic
  ret double %r
}
; CHECK-LABEL: define i64 @uinc_wrap(
; CHECK: call i64 @__ompdsm_atomic_rmw(ptr %p, i64 %{{.*}}, i32 15, i32 8, i32 4)
define i64 @uinc_wrap(ptr %p, i64 %v) {
  %r = atomicrmw uinc_wrap ptr %p, i64 %v acq_rel
  ret i64 %r
}
; CHECK-LABEL: define i64 @udec_wrap(
; CHECK: call i64 @__ompdsm_atomic_rmw(ptr %p, i64 %{{.*}}, i32 16, i32 8, i32 4)
define i64 @udec_wrap(ptr %p, i64 %v) {
  %r = atomicrmw udec_wrap ptr %p, i64 %v acq_rel
  ret i64 %r
}
