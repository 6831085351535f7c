; Atomic operations of 16 bytes, and under-aligned ones, pass their operands in stack slots, which stay private.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-NOT: _miss
; CHECK-LABEL: define i128 @load(
; CHECK: %[[S:.*]] = alloca i128
; CHECK: call void @__ompdsm_atomic_load_sized(i64 16, ptr %p, ptr captures(none) %[[S]], i32 2)
; CHECK: load i128, ptr %[[S]]
define i128 @load(ptr %p) {
  %v = load atomic i128, ptr %p acquire, align 16
  ret i128 %v
}
; CHECK-LABEL: define void @store(
; CHECK: store i128 %v, ptr %[[S:.*]],
; CHECK: call void @__ompdsm_atomic_store_sized(i64 16, ptr %p, ptr captures(none) %[[S]], i32 5)
define void @store(ptr %p, i128 %v) {
  store atomic i128 %v, ptr %p seq_cst, align 16
  ret void
}
; CHECK-LABEL: define i128 @exchange(
; CHECK: call void @__ompdsm_atomic_exchange_sized(i64 16, ptr %p, ptr captures(none) %{{.*}}, ptr captures(none) %{{.*}}, i32 5)
define i128 @exchange(ptr %p, i128 %v) {
  %r = atomicrmw xchg ptr %p, i128 %v seq_cst
  ret i128 %r
}
; CHECK-LABEL: define i1 @compare(
; CHECK: %[[R:.*]] = call i32 @__ompdsm_atomic_cmpxchg_sized(i64 16, ptr %p, ptr captures(none) %{{.*}}, ptr captures(none) %{{.*}}, i32 5, i32 2)
; CHECK: icmp ne i32 %[[R]], 0
define i1 @compare(ptr %p, i128 %e, i128 %n) {
  %r = cmpxchg ptr %p, i128 %e, i128 %n seq_cst acquire
  %s = extractvalue { i128, i1 } %r, 1
  ret i1 %s
}
; CHECK-LABEL: define i32 @unaligned(
; CHECK: call void @__ompdsm_atomic_load_sized(i64 4, ptr %p,
define i32 @unaligned(ptr %p) {
  %v = load atomic i32, ptr %p monotonic, align 2
  ret i32 %v
}
