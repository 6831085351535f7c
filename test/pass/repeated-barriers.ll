; A barrier is erased where the team has just met on every way to it, and only there.
; RUN: %opt -passes=ompdsm-prepare -S %s | FileCheck %s

; What Clang makes of a worksharing loop with a reduction.
; CHECK-LABEL: define void @reduction(
; CHECK: call void @__kmpc_end_reduce(
; CHECK: call void @__kmpc_end_reduce(
; CHECK-NOT: @__kmpc_barrier(
; CHECK: ret void
define void @reduction(ptr %loc, ptr %list, ptr %lock, ptr %sum) {
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
  call void @llvm.sideeffect()
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

; On one of the ways nobody has met: the barrier moves there.
; CHECK-LABEL: define void @one_way(
; CHECK: br i1 %c, label %met, label %[[EDGE:.*]]
; CHECK: {{^}}[[EDGE]]:
; CHECK-NEXT: %[[NUMBER:.*]] = call i32 @__kmpc_global_thread_num(ptr @location)
; CHECK-NEXT: call void @__kmpc_barrier(ptr @location, i32 %[[NUMBER]])
; CHECK-NEXT: br label %join
; CHECK: {{^}}met:
; CHECK-NEXT: call void @__kmpc_barrier(
; CHECK-NEXT: br label %join
; CHECK: {{^}}join:
; CHECK-NOT: @__kmpc_barrier(
; CHECK: ret void
define void @one_way(ptr %number, i1 %c) {
  br i1 %c, label %met, label %join
met:
  call void @__kmpc_barrier(ptr @location, i32 0)
  br label %join
join:
  %n = load i32, ptr %number
  call void @__kmpc_barrier(ptr @location, i32 %n)
  ret void
}

; The same, but what is loaded is used afterwards, too.
; CHECK-LABEL: define i32 @one_way_and_a_load(
; CHECK: {{^}}join:
; CHECK: call void @__kmpc_barrier(
; CHECK: ret i32
define i32 @one_way_and_a_load(ptr %number, i1 %c) {
  br i1 %c, label %met, label %join
met:
  call void @__kmpc_barrier(ptr @location, i32 0)
  br label %join
join:
  %n = load i32, ptr %number
  call void @__kmpc_barrier(ptr @location, i32 %n)
  ret i32 %n
}

; One thread stores (a conditional lastprivate, say): all have to meet behind it.
; CHECK-LABEL: define void @store_on_one_way(
; CHECK: {{^}}storing:
; CHECK-NEXT: store i32 1
; CHECK-NEXT: br label %join
; CHECK: {{^}}join:
; CHECK-NEXT: call void @__kmpc_barrier(
; CHECK: ret void
define void @store_on_one_way(ptr %p, i1 %c) {
  call void @__kmpc_barrier(ptr @location, i32 0)
  br i1 %c, label %storing, label %join
storing:
  store i32 1, ptr %p
  br label %join
join:
  call void @__kmpc_barrier(ptr @location, i32 0)
  ret void
}

; Nobody has met on any way.
; CHECK-LABEL: define void @no_way(
; CHECK: {{^}}join:
; CHECK-NEXT: call void @__kmpc_barrier(
define void @no_way(ptr %p, i1 %c) {
  br i1 %c, label %storing, label %join
storing:
  store i32 1, ptr %p
  br label %join
join:
  call void @__kmpc_barrier(ptr @location, i32 0)
  ret void
}

; A barrier does not precede itself.
; CHECK-LABEL: define void @loop(
; CHECK: {{^}}again:
; CHECK-NEXT: call void @__kmpc_barrier(
; CHECK: ret void
define void @loop(i1 %c) {
  call void @__kmpc_barrier(ptr @location, i32 0)
  br label %again
again:
  call void @__kmpc_barrier(ptr @location, i32 0)
  br i1 %c, label %again, label %done
done:
  ret void
}

@location = private constant i32 0
declare void @__kmpc_barrier(ptr, i32)
declare i32 @__kmpc_reduce(ptr, i32, i32, i64, ptr, ptr, ptr)
declare i32 @__kmpc_reduce_nowait(ptr, i32, i32, i64, ptr, ptr, ptr)
declare void @__kmpc_end_reduce(ptr, i32, ptr)
declare void @__kmpc_end_reduce_nowait(ptr, i32, ptr)
declare void @combine(ptr, ptr)
declare void @anything()
declare void @llvm.sideeffect()
