; A relaxed atomic operation on a word happens here if this node is the home of its line, the line does not miss,
; no other node waits, and the thread owes no release. Else, and in any other order, the runtime does it.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK: @__ompdsm_release_owed = external thread_local(initialexec) global i8

; CHECK-LABEL: define i32 @add(
; CHECK: %[[ADDRESS:.*]] = ptrtoint ptr %p to i64
; CHECK: lshr i64 %[[ADDRESS]], 6
; CHECK: %[[STATE:.*]] = load volatile i8
; CHECK: %[[ELSEWHERE:.*]] = and i8 %[[STATE]], 6
; CHECK: %[[WAITS:.*]] = load volatile i8, ptr inttoptr (i64 2147451392 to ptr)
; CHECK: %[[OWED:.*]] = load volatile i8, ptr %
; CHECK: %[[ONE:.*]] = or i8 %[[ELSEWHERE]], %[[WAITS]]
; CHECK: %[[ALL:.*]] = or i8 %[[ONE]], %[[OWED]]
; CHECK: %[[CALLS:.*]] = icmp ne i8 %[[ALL]], 0
; CHECK: br i1 %[[CALLS]], label %[[CALL:.*]], label %[[HERE:.*]], !prof
; CHECK: [[CALL]]:
; CHECK: %[[FAR:.*]] = call i64 @__ompdsm_atomic_rmw(ptr %p, i64 %{{.*}}, i32 1, i32 4, i32 0)
; CHECK: [[HERE]]:
; CHECK: atomicrmw add ptr %p, i32 %{{.*}} monotonic, align 4
; CHECK: phi i64 [ %[[FAR]], %[[CALL]] ], [ %{{.*}}, %[[HERE]] ]
define i32 @add(ptr %p, i32 %v) {
  %r = atomicrmw add ptr %p, i32 %v monotonic
  ret i32 %r
}
; CHECK-LABEL: define double @float_add(
; CHECK: call i64 @__ompdsm_atomic_rmw(
; CHECK: atomicrmw fadd ptr %p, double %{{.*}} monotonic, align 8
define double @float_add(ptr %p, double %v) {
  %r = atomicrmw fadd ptr %p, double %v monotonic
  ret double %r
}
; Nobody wants the old value: where another node is the home, the thread need not wait.
; CHECK-LABEL: define void @add_only(
; CHECK: call void @__ompdsm_atomic_update(ptr %p, i64 %{{.*}}, i32 11, i32 8)
; CHECK: atomicrmw fadd ptr %p, double %{{.*}} monotonic, align 8
; CHECK-NOT: phi
; CHECK: ret void
define void @add_only(ptr %p, double %v) {
  %r = atomicrmw fadd ptr %p, double %v monotonic
  ret void
}
; What is exchanged may be a flag that somebody waits for.
; CHECK-LABEL: define void @exchange_only(
; CHECK: call i64 @__ompdsm_atomic_rmw(
; CHECK: ret void
define void @exchange_only(ptr %p, i64 %v) {
  %r = atomicrmw xchg ptr %p, i64 %v monotonic
  ret void
}
; CHECK-LABEL: define i16 @read(
; CHECK: and i8 %{{.*}}, 5
; CHECK: call i64 @__ompdsm_atomic_load(
; CHECK: load atomic i16, ptr %p monotonic, align 2
define i16 @read(ptr %p) {
  %r = load atomic i16, ptr %p monotonic, align 2
  ret i16 %r
}
; CHECK-LABEL: define void @write(
; CHECK: call void @__ompdsm_atomic_store(
; CHECK: store atomic i8 %{{.*}}, ptr %p monotonic, align 1
define void @write(ptr %p, i8 %v) {
  store atomic i8 %v, ptr %p monotonic, align 1
  ret void
}
; CHECK-LABEL: define i1 @exchange(
; CHECK: call i64 @__ompdsm_atomic_cmpxchg(
; CHECK: cmpxchg ptr %p, i64 %{{.*}}, i64 %{{.*}} monotonic monotonic, align 8
define i1 @exchange(ptr %p, ptr %e, ptr %n) {
  %r = cmpxchg ptr %p, ptr %e, ptr %n monotonic monotonic
  %s = extractvalue { ptr, i1 } %r, 1
  ret i1 %s
}
; CHECK-LABEL: define i32 @ordered(
; CHECK-NOT: br i1
; CHECK: call i64 @__ompdsm_atomic_rmw(
; CHECK-NOT: atomicrmw
; CHECK: ret i32
define i32 @ordered(ptr %p, i32 %v) {
  %r = atomicrmw add ptr %p, i32 %v acq_rel
  ret i32 %r
}
; CHECK-LABEL: define i32 @in_bytes(
; CHECK-NOT: br i1
; CHECK: call void @__ompdsm_atomic_load_sized(
; CHECK: ret i32
define i32 @in_bytes(ptr %p) {
  %r = load atomic i32, ptr %p monotonic, align 2
  ret i32 %r
}
