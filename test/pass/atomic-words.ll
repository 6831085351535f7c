; Atomic operations of 1 to 8 bytes become runtime calls on integers, and get no inline check.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-NOT: _miss
; CHECK-LABEL: define float @load(
; CHECK-NEXT: %[[V:.*]] = call i64 @__ompdsm_atomic_load(ptr %p, i32 4, i32 2)
; CHECK-NEXT: %[[T:.*]] = trunc i64 %[[V]] to i32
; CHECK-NEXT: %[[F:.*]] = bitcast i32 %[[T]] to float
; CHECK-NEXT: ret float %[[F]]
define float @load(ptr %p) {
  %v = load atomic float, ptr %p acquire, align 4
  ret float %v
}
; CHECK-LABEL: define ptr @load_pointer(
; CHECK: call i64 @__ompdsm_atomic_load(ptr %p, i32 8, i32 0)
; CHECK: inttoptr i64
define ptr @load_pointer(ptr %p) {
  %v = load atomic ptr, ptr %p unordered, align 8
  ret ptr %v
}
; CHECK-LABEL: define void @store(
; CHECK: %[[V:.*]] = zext i16 %v to i64
; CHECK: call void @__ompdsm_atomic_store(ptr %p, i64 %[[V]], i32 2, i32 3)
define void @store(ptr %p, i16 %v) {
  store atomic i16 %v, ptr %p release, align 2
  ret void
}
; CHECK-LABEL: define { i8, i1 } @exchange(
; CHECK: %[[E:.*]] = zext i8 %e to i64
; CHECK: %[[N:.*]] = zext i8 %n to i64
; CHECK: %[[F:.*]] = call i64 @__ompdsm_atomic_cmpxchg(ptr %p, i64 %[[E]], i64 %[[N]], i32 1, i32 4)
; CHECK: trunc i64 %[[F]] to i8
; CHECK: icmp eq i64 %[[F]], %[[E]]
define { i8, i1 } @exchange(ptr %p, i8 %e, i8 %n) {
  %r = cmpxchg ptr %p, i8 %e, i8 %n release acquire
  ret { i8, i1 } %r
}
; CHECK-LABEL: define ptr @exchange_pointer(
; CHECK: call i64 @__ompdsm_atomic_cmpxchg(ptr %p, i64 %{{.*}}, i64 %{{.*}}, i32 8, i32 5)
define ptr @exchange_pointer(ptr %p, ptr %e, ptr %n) {
  %r = cmpxchg weak ptr %p, ptr %e, ptr %n seq_cst monotonic
  %v = extractvalue { ptr, i1 } %r, 0
  ret ptr %v
}
; CHECK-NOT: atomicrmw
