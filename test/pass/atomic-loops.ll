; Operations that the runtime cannot do in one call become a loop of compare-exchanges.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-LABEL: define bfloat @short_float(
; CHECK: call i64 @__ompdsm_atomic_load(ptr %p, i32 2, i32 0)
; CHECK: [[LOOP:ompdsm.atomic]]:
; CHECK: %[[OLD:.*]] = phi bfloat
; CHECK: fadd bfloat %[[OLD]], %v
; CHECK: call i64 @__ompdsm_atomic_cmpxchg(ptr %p, {{.*}}, i32 2, i32 5)
; CHECK: br i1 %{{.*}}, label %[[DONE:.*]], label %[[LOOP]]
; CHECK: [[DONE]]:
; CHECK-NEXT: ret bfloat
define bfloat @short_float(ptr %p, bfloat %v) {
  %r = atomicrmw fadd ptr %p, bfloat %v seq_cst
  ret bfloat %r
}
; CHECK-LABEL: define <2 x half> @vector(
; CHECK: fadd <2 x half>
; CHECK: call i64 @__ompdsm_atomic_cmpxchg(ptr %p, {{.*}}, i32 4, i32 0)
define <2 x half> @vector(ptr %p, <2 x half> %v) {
  %r = atomicrmw fadd ptr %p, <2 x half> %v monotonic
  ret <2 x half> %r
}
; CHECK-LABEL: define i128 @pair(
; CHECK: call i32 @__ompdsm_atomic_cmpxchg_sized(i64 16, ptr %p, ptr captures(none) %{{.*}}, ptr captures(none) %{{.*}}, i32 5, i32 0)
define i128 @pair(ptr %p, i128 %v) {
  %r = atomicrmw add ptr %p, i128 %v seq_cst
  ret i128 %r
}
; CHECK-NOT: atomicrmw
; CHECK-NOT: _miss
