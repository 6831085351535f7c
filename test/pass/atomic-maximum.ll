; An operation of newer versions that the runtime cannot do in one call, either, becomes a loop.
; LLVM 19 has no atomicrmw fmaximum.
; REQUIRES: llvm=22
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-NOT: atomicrmw
; CHECK-LABEL: define float @maximum(
; CHECK: @llvm.maximum.f32
; CHECK: call i64 @__ompdsm_atomic_cmpxchg(
define float @maximum(ptr %p, float %v) {
  %r = atomicrmw fmaximum ptr %p, float %v monotonic
  ret float %r
}
