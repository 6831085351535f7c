; After anything that may be a synchronisation point a check is needed anew.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define i32 @unknown_call(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: call void @unknown()
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define i32 @unknown_call(ptr %p) {
  %a = load i32, ptr %p
  call void @unknown()
  %b = load i32, ptr %p
  ret i32 %b
}
; CHECK-LABEL: define i32 @indirect_call(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: call void %f()
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define i32 @indirect_call(ptr %p, ptr %f) {
  %a = load i32, ptr %p
  call void %f()
  %b = load i32, ptr %p
  ret i32 %b
}
; CHECK-LABEL: define i32 @barrier(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: call void @__kmpc_barrier
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define i32 @barrier(ptr %p) {
  %a = load i32, ptr %p
  call void @__kmpc_barrier(ptr null, i32 0)
  %b = load i32, ptr %p
  ret i32 %b
}
; CHECK-LABEL: define i32 @atomic(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: call void @__ompdsm_atomic_update
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define i32 @atomic(ptr %p, ptr %q) {
  %a = load i32, ptr %p
  %o = atomicrmw add ptr %q, i32 1 monotonic
  %b = load i32, ptr %p
  ret i32 %b
}
; An atomic operation on private memory may be the program's way to order, too.
; CHECK-LABEL: define i32 @private_atomic(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: atomicrmw
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define i32 @private_atomic(ptr %p) {
  %q = alloca i32
  store i32 0, ptr %q
  %a = load i32, ptr %p
  %o = atomicrmw add ptr %q, i32 1 seq_cst
  %b = load i32, ptr %p
  ret i32 %b
}
; CHECK-LABEL: define i32 @fence(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: fence acquire
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define i32 @fence(ptr %p) {
  %a = load i32, ptr %p
  fence acquire
  %b = load i32, ptr %p
  ret i32 %b
}
; CHECK-LABEL: define i32 @assembly(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: asm sideeffect
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define i32 @assembly(ptr %p) {
  %a = load i32, ptr %p
  call void asm sideeffect "", "~{memory}"()
  %b = load i32, ptr %p
  ret i32 %b
}
; CHECK-LABEL: define i32 @hardware_fence(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: @llvm.x86.sse2.mfence
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define i32 @hardware_fence(ptr %p) {
  %a = load i32, ptr %p
  call void @llvm.x86.sse2.mfence()
  %b = load i32, ptr %p
  ret i32 %b
}
; A callback may do anything.
; CHECK-LABEL: define i32 @callback(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: call void @qsort
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define i32 @callback(ptr %p, ptr %q) {
  %a = load i32, ptr %p
  call void @qsort(ptr %q, i64 2, i64 4, ptr @compare)
  %b = load i32, ptr %p
  ret i32 %b
}
; What was believed not to synchronise has a relaxed atomic operation, which is a runtime call now.
; CHECK-LABEL: define i32 @was_nosync(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: call void @relaxed
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define i32 @was_nosync(ptr %p, ptr %q) {
  %a = load i32, ptr %p
  call void @relaxed(ptr %q)
  %b = load i32, ptr %p
  ret i32 %b
}
define void @relaxed(ptr %q) nosync {
  %o = atomicrmw add ptr %q, i32 1 monotonic
  ret void
}
declare void @unknown()
declare void @__kmpc_barrier(ptr, i32)
declare void @llvm.x86.sse2.mfence()
declare void @qsort(ptr, i64, i64, ptr)
declare i32 @compare(ptr, ptr)
