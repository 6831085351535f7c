; The numbers of the operations of atomicrmw that LLVM 19 does not have.
; REQUIRES: llvm=22
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-NOT: atomicrmw
; CHECK-LABEL: define i64 @usub_cond(
; CHECK: call i64 @__ompdsm_atomic_rmw(ptr %p, i64 %{{.*}}, i32 17, i32 8, i32 4)
define i64 @usub_cond(ptr %p, i64 %v) {
  %r = atomicrmw usub_cond ptr %p, i64 %v acq_rel
  ret i64 %r
}
; CHECK-LABEL: define i64 @usub_sat(
; CHECK: call i64 @__ompdsm_atomic_rmw(ptr %p, i64 %{{.*}}, i32 18, i32 8, i32 4)
define i64 @usub_sat(ptr %p, i64 %v) {
  %r = atomicrmw usub_sat ptr %p, i64 %v acq_rel
  ret i64 %r
}
