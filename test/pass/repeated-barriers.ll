; A barrier is erased where the team has just met on every way to it, and only there.
; RUN: %opt -passes=ompdsm-prepare -S %s | FileCheck %s

; What Clang makes of a worksharing loop with a reduction.
; CHECK-LABEL: define void @reduction(
; CHECK: call void @__kmpc_end_reduce(
; CHECK: call void @__kmpc_end_reduce(
; CHECK-NOT: @__kmpc_barrier(
; CHECK: ret void
define void @reduction(ptr %loc, ptr %list, ptr %lock, ptr %sum) {
  %private = alloca double
  %r = call i32 @__kmpc_reduce(ptr %loc, i32 0, i32 1, i64 8, ptr %list, ptr @combine, ptr %lock)
  switch i32 %r, label %done [
    i32 1, label %first
    i32 2, label %atomic
  ]
first:
  store double 1.0, ptr %sum
  call void @__kmpc_end_reduce(ptr %loc, i32 0, ptr %lock)
  br label %done
atomic:
  %old = atomicrmw fadd ptr %sum, double 1.0 monotonic
  call void @__kmpc_end_reduce(ptr %loc, i32 0, ptr %lock)
  br label %done
done:
  call void @llvm.lifetime.end.p0(ptr %private)
  call void @__kmpc_barrier(ptr %loc, i32 0)
  ret void
}

; Of the form that does not wait, the barrier is the only one.
; CHECK-LABEL: define void @nowait(
; CHECK: call void @__kmpc_end_reduce_nowait(
; CHECK: call void @__kmpc_barrier(
; CHECK: ret void
define void @nowait(ptr %loc, ptr %list, ptr %lock, ptr %sum) {
  %r = call i32 @__kmpc_reduce_nowait(ptr %loc, i32 0, i32 1, i64 8, ptr %list, ptr @combine, ptr %lock)
  switch i32 %r, label %done [
    i32 1, label %first
  ]
first:
  store double 1.0, ptr %sum
  call void @__kmpc_end_reduce_nowait(ptr %loc, i32 0, ptr %lock)
  br label %done
done:
  call void @__kmpc_barrier(ptr %loc, i32 0)
  ret void
}

; CHECK-LABEL: define void @three(
; CHECK-COUNT-1: call void @__kmpc_barrier(
; CHECK-NOT: @__kmpc_barrier(
; CHECK: ret void
define void @three(ptr %loc) {
  call void @__kmpc_barrier(ptr %loc, i32 0)
  call void @__kmpc_barrier(ptr %loc, i32 0)
  br label %next
next:
  call void @__kmpc_barrier(ptr %loc, i32 0)
  ret void
}

; Others may see on which side of the barrier it is stored.
; CHECK-LABEL: define void @store_between(
; CHECK-COUNT-2: call void @__kmpc_barrier(
; CHECK: ret void
define void @store_between(ptr %loc, ptr %p) {
  call void @__kmpc_barrier(ptr %loc, i32 0)
  store i32 1, ptr %p
  call void @__kmpc_barrier(ptr %loc, i32 0)
  ret void
}

; CHECK-LABEL: define void @load_between(
; CHECK-COUNT-2: call void @__kmpc_barrier(
; CHECK: ret void
define void @load_between(ptr %loc, ptr %p) {
  call void @__kmpc_barrier(ptr %loc, i32 0)
  %v = load i32, ptr %p
  call void @__kmpc_barrier(ptr %loc, i32 0)
  ret void
}

; CHECK-LABEL: define void @call_between(
; CHECK-COUNT-2: call void @__kmpc_barrier(
; CHECK: ret void
define void @call_between(ptr %loc) {
  call void @__kmpc_barrier(ptr %loc, i32 0)
  call void @anything()
  call void @__kmpc_barrier(ptr %loc, i32 0)
  ret void
}

; On one of the ways nobody has met.
; CHECK-LABEL: define void @one_way(
; CHECK-COUNT-2: call void @__kmpc_barrier(
; CHECK: ret void
define void @one_way(ptr %loc, i1 %c) {
  br i1 %c, label %met, label %join
met:
  call void @__kmpc_barrier(ptr %loc, i32 0)
  br label %join
join:
  call void @__kmpc_barrier(ptr %loc, i32 0)
  ret void
}

; The first iteration's barrier has none before it.
; CHECK-LABEL: define void @loop(
; CHECK: call void @__kmpc_barrier(
; CHECK: ret void
define void @loop(ptr %loc, i1 %c) {
  br label %again
again:
  call void @__kmpc_barrier(ptr %loc, i32 0)
  br i1 %c, label %again, label %done
done:
  ret void
}

; CHECK-LABEL: define void @loop_behind_a_barrier(
; CHECK-COUNT-1: call void @__kmpc_barrier(
; CHECK-NOT: @__kmpc_barrier(
; CHECK: ret void
define void @loop_behind_a_barrier(ptr %loc, i1 %c) {
  call void @__kmpc_barrier(ptr %loc, i32 0)
  br label %again
again:
  call void @__kmpc_barrier(ptr %loc, i32 0)
  br i1 %c, label %again, label %done
done:
  ret void
}

declare void @__kmpc_barrier(ptr, i32)
declare i32 @__kmpc_reduce(ptr, i32, i32, i64, ptr, ptr, ptr)
declare i32 @__kmpc_reduce_nowait(ptr, i32, i32, i64, ptr, ptr, ptr)
declare void @__kmpc_end_reduce(ptr, i32, ptr)
declare void @__kmpc_end_reduce_nowait(ptr, i32, ptr)
declare void @combine(ptr, ptr)
declare void @anything()
declare void @llvm.lifetime.end.p0(ptr)
