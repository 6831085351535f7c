; Calls of functions in which nothing synchronises on the way back to the caller leave permissions as they are.
; RUN: %opt -passes='inferattrs,ompdsm' -S %s | FileCheck %s
; The marks do not outlast the instrumentation.
; RUN: %opt -passes='inferattrs,ompdsm' -S %s | FileCheck %s --check-prefix=MARKS
; MARKS-NOT: ompdsm-quiet
target triple = "x86_64-pc-linux-gnu"

; It allocates, and ends the program if there is no memory; two levels deep.
; CHECK-LABEL: define i32 @allocates(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: call void @middle
; CHECK-NOT: _miss(
; CHECK: ret i32
define i32 @allocates(ptr %p) {
  %a = load i32, ptr %p
  call void @middle(i64 8)
  %b = load i32, ptr %p
  ret i32 %b
}
define void @middle(i64 %n) {
  %m = call ptr @make(i64 %n)
  call void @free(ptr %m)
  ret void
}
define ptr @make(i64 %n) nounwind {
  %m = call ptr @calloc(i64 %n, i64 8)
  %none = icmp eq ptr %m, null
  br i1 %none, label %failed, label %made
made:
  ret ptr %m
failed:
  call void @unknown()
  call void @exit(i32 1)
  unreachable
}
; What synchronises for ever does not return.
; CHECK-LABEL: define i32 @endless(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: call void @serve
; CHECK-NOT: _miss(
; CHECK: ret i32
define i32 @endless(ptr %p, i1 %c) {
  %a = load i32, ptr %p
  call void @serve(i1 %c)
  %b = load i32, ptr %p
  ret i32 %b
}
define void @serve(i1 %c) nounwind {
  br i1 %c, label %always, label %end
always:
  call void @unknown()
  br label %always
end:
  ret void
}
; By mutual recursion.
; CHECK-LABEL: define i32 @recursive(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: call void @even
; CHECK-NOT: _miss(
; CHECK: ret i32
define i32 @recursive(ptr %p, i32 %n) {
  %a = load i32, ptr %p
  call void @even(i32 %n)
  %b = load i32, ptr %p
  ret i32 %b
}
define void @even(i32 %n) {
  %m = call ptr @malloc(i64 8)
  call void @odd(i32 %n)
  ret void
}
define void @odd(i32 %n) {
  %none = icmp eq i32 %n, 0
  br i1 %none, label %end, label %more
more:
  %less = sub i32 %n, 1
  call void @even(i32 %less)
  br label %end
end:
  ret void
}
; Within itself, too.
; CHECK-LABEL: define i32 @itself(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: call i32 @itself
; CHECK-NOT: _miss(
; CHECK: ret i32
define i32 @itself(ptr %p, i32 %n) {
  %a = load i32, ptr %p
  %m = call ptr @malloc(i64 8)
  %x = call i32 @itself(ptr %p, i32 %a)
  %b = load i32, ptr %p
  ret i32 %b
}
; An exception that is thrown by what does not synchronise.
; CHECK-LABEL: define i32 @cleans(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: call void @unwinding
; CHECK-NOT: _miss(
; CHECK: ret i32
define i32 @cleans(ptr %p) {
  %a = load i32, ptr %p
  call void @unwinding()
  %b = load i32, ptr %p
  ret i32 %b
}
define void @unwinding() personality ptr @__gxx_personality_v0 {
  %m = call ptr @malloc(i64 8)
  invoke void @throws_quietly() to label %end unwind label %pad
end:
  ret void
pad:
  %e = landingpad { ptr, i32 } cleanup
  call void @free(ptr %m)
  resume { ptr, i32 } %e
}

; --- Not applied.

; Two levels deep.
; CHECK-LABEL: define i32 @deep(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: call void @outer
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define i32 @deep(ptr %p) {
  %a = load i32, ptr %p
  call void @outer()
  %b = load i32, ptr %p
  ret i32 %b
}
define void @outer() nounwind {
  call void @inner()
  ret void
}
define void @inner() nounwind {
  call void @__kmpc_barrier(ptr null, i32 0)
  ret void
}
; By mutual recursion.
; CHECK-LABEL: define i32 @in_a_cycle(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: call void @ping
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define i32 @in_a_cycle(ptr %p, i32 %n) {
  %a = load i32, ptr %p
  call void @ping(i32 %n)
  %b = load i32, ptr %p
  ret i32 %b
}
define void @ping(i32 %n) nounwind {
  call void @pong(i32 %n)
  ret void
}
define void @pong(i32 %n) nounwind {
  %none = icmp eq i32 %n, 0
  br i1 %none, label %end, label %more
more:
  %less = sub i32 %n, 1
  call void @ping(i32 %less)
  ret void
end:
  call void @unknown()
  ret void
}
; What looks like an error returns.
; CHECK-LABEL: define i32 @warned(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: call void @warn
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define i32 @warned(ptr %p, i1 %c, i1 %d) {
  %a = load i32, ptr %p
  call void @warn(i1 %c, i1 %d)
  %b = load i32, ptr %p
  ret i32 %b
}
define void @warn(i1 %c, i1 %d) nounwind {
  br i1 %c, label %failed, label %end
failed:
  call void @unknown()
  br i1 %d, label %end, label %fatal
fatal:
  call void @exit(i32 1)
  unreachable
end:
  ret void
}
; Before it throws; the caller may catch that.
; CHECK-LABEL: define i32 @caught(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: invoke void @throws
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define i32 @caught(ptr %p) personality ptr @__gxx_personality_v0 {
  %a = load i32, ptr %p
  invoke void @throws() to label %end unwind label %pad
pad:
  %e = landingpad { ptr, i32 } catch ptr null
  br label %end
end:
  %b = load i32, ptr %p
  ret i32 %b
}
define void @throws() {
  call void @unknown() nounwind
  call void @__cxa_throw(ptr null, ptr null, ptr null)
  unreachable
}
; Its own handler does not catch all.
; CHECK-LABEL: define i32 @partly_caught(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: invoke void @filters
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define i32 @partly_caught(ptr %p) personality ptr @__gxx_personality_v0 {
  %a = load i32, ptr %p
  invoke void @filters() to label %end unwind label %pad
pad:
  %e = landingpad { ptr, i32 } catch ptr null
  br label %end
end:
  %b = load i32, ptr %p
  ret i32 %b
}
define void @filters() personality ptr @__gxx_personality_v0 {
  invoke void @unknown() to label %fatal unwind label %pad
pad:
  %e = landingpad { ptr, i32 } catch ptr @_ZTIi
  br label %fatal
fatal:
  call void @exit(i32 1)
  unreachable
}
; longjmp may return to it.
; CHECK-LABEL: define i32 @jumped(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: call i32 @_setjmp
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: call void @jumps
define i32 @jumped(ptr %p, ptr %buffer) nounwind {
  %a = load i32, ptr %p
  %again = call i32 @_setjmp(ptr %buffer) returns_twice
  %b = load i32, ptr %p
  %first = icmp eq i32 %again, 0
  br i1 %first, label %try, label %end
try:
  call void @jumps(ptr %buffer)
  br label %end
end:
  ret i32 %b
}
define void @jumps(ptr %buffer) nounwind {
  call void @unknown()
  call void @longjmp(ptr %buffer, i32 1)
  unreachable
}
; CHECK-LABEL: define i32 @jumped_within(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: call i32 @jumped
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define i32 @jumped_within(ptr %p, ptr %q, ptr %buffer) nounwind {
  %a = load i32, ptr %p
  %c = call i32 @jumped(ptr %q, ptr %buffer)
  %b = load i32, ptr %p
  ret i32 %b
}
; Another definition may be the one that runs.
; CHECK-LABEL: define i32 @replaced(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: call void @replaceable
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: call void @odr
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define i32 @replaced(ptr %p) {
  %a = load i32, ptr %p
  call void @replaceable()
  %b = load i32, ptr %p
  call void @odr()
  %c = load i32, ptr %p
  ret i32 %c
}
define weak void @replaceable() {
  %m = call ptr @malloc(i64 8)
  ret void
}
define linkonce_odr void @odr() {
  %m = call ptr @malloc(i64 8)
  ret void
}
; What it calls is not known; an atomic of its own.
; CHECK-LABEL: define i32 @others(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: call void @calls_back
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: call void @sorts
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: call void @counts
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define i32 @others(ptr %p, ptr %f) {
  %a = load i32, ptr %p
  call void @calls_back(ptr %f)
  %b = load i32, ptr %p
  call void @sorts(ptr %f)
  %c = load i32, ptr %p
  call void @counts()
  %d = load i32, ptr %p
  ret i32 %d
}
define void @calls_back(ptr %f) nounwind {
  call void %f()
  ret void
}
define void @sorts(ptr %q) nounwind {
  call void @qsort(ptr %q, i64 2, i64 4, ptr @compare)
  ret void
}
define void @counts() nounwind {
  %q = alloca i32
  %o = atomicrmw add ptr %q, i32 1 monotonic
  ret void
}
declare void @unknown()
declare void @throws_quietly() nosync
declare void @exit(i32) noreturn nounwind
declare ptr @calloc(i64, i64)
declare ptr @malloc(i64)
declare void @free(ptr)
declare void @__kmpc_barrier(ptr, i32)
declare void @__cxa_throw(ptr, ptr, ptr) noreturn
declare i32 @__gxx_personality_v0(...)
declare i32 @_setjmp(ptr) returns_twice
declare void @longjmp(ptr, i32) noreturn
declare void @qsort(ptr, i64, i64, ptr)
declare i32 @compare(ptr, ptr)
@_ZTIi = external constant ptr
