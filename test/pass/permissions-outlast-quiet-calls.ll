; Calls that cannot synchronise leave permissions as they are.
; RUN: %opt -passes='inferattrs,ompdsm' -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @quiet(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 8)
; CHECK-NOT: _miss(
; CHECK: call void @declared_nosync
; CHECK-NOT: _miss(
; CHECK: call i64 @strlen(
; CHECK-NOT: _miss(
; CHECK: call i32 @omp_get_thread_num()
; CHECK-NOT: _miss(
; CHECK: call void @llvm.memcpy
; CHECK-NOT: _miss(
; CHECK: @__ompdsm_malloc(
; CHECK-NOT: _miss(
; CHECK: call void @free(
; CHECK-NOT: _miss(
; CHECK: ret double
define double @quiet(ptr %p, ptr %s, ptr %d, i64 %n) {
  %a = load double, ptr %p
  call void @declared_nosync()
  %b = load double, ptr %p
  %l = call i64 @strlen(ptr %s)
  %f = load double, ptr %p
  %t = call i32 @omp_get_thread_num()
  %g = load double, ptr %p
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %s, i64 %n, i1 false)
  %h = load double, ptr %p
  %m = call ptr @malloc(i64 8)
  %i = load double, ptr %p
  call void @free(ptr %m)
  %j = load double, ptr %p
  ret double %j
}

; An object may grow in place: what was said of it was said of its old extent.
; CHECK-LABEL: define double @grown(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 8)
; CHECK: @__ompdsm_realloc(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 8)
; CHECK: ret double
define double @grown(ptr %p, ptr %q) {
  %a = load double, ptr %p
  %m = call ptr @realloc(ptr %q, i64 64)
  %b = load double, ptr %p
  %s = fadd double %a, %b
  ret double %s
}
declare ptr @realloc(ptr, i64)
declare void @declared_nosync() nosync
declare i64 @strlen(ptr)
declare i32 @omp_get_thread_num()
declare ptr @malloc(i64)
declare void @free(ptr)
