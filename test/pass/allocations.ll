; Calls of allocation functions that the module does not define go to the application heap.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-LABEL: define ptr @allocate(
; CHECK: %a = call noalias dereferenceable_or_null(8) ptr @__ompdsm_malloc(i64 8)
; CHECK: call ptr @__ompdsm_calloc(i64 %n, i64 8)
; CHECK: call ptr @__ompdsm_realloc(ptr %a, i64 %n)
; CHECK: invoke ptr @__ompdsm__Znwm(i64 %n)
; CHECK: call ptr @__ompdsm__ZnamSt11align_val_t(i64 %n, i64 64)
; CHECK: call i32 @__ompdsm_posix_memalign(
; CHECK: call void @free(ptr %a)
define ptr @allocate(i64 %n, ptr %where) personality ptr @person {
  %a = call noalias dereferenceable_or_null(8) ptr @malloc(i64 8)
  %b = call ptr @calloc(i64 %n, i64 8)
  %c = call ptr @realloc(ptr %a, i64 %n)
  %d = invoke ptr @_Znwm(i64 %n) to label %next unwind label %bad
next:
  %e = call ptr @_ZnamSt11align_val_t(i64 %n, i64 64)
  %f = call i32 @posix_memalign(ptr %where, i64 64, i64 %n)
  call void @free(ptr %a)
  ret ptr %d
bad:
  %l = landingpad { ptr, i32 } cleanup
  ret ptr null
}
; The address of the function is not touched, nor a function that the module defines itself.
; CHECK-LABEL: define ptr @address(
; CHECK: call ptr @valloc(i64 8)
; CHECK: ret ptr @malloc
define ptr @address() {
  %a = call ptr @valloc(i64 8)
  ret ptr @malloc
}
define ptr @valloc(i64 %n) {
  ret ptr null
}
; CHECK: declare noalias ptr @__ompdsm_malloc(i64) #[[ATTRIBUTES:[0-9]+]]
; CHECK: attributes #[[ATTRIBUTES]] = { {{.*}}allocsize(0)
declare noalias ptr @malloc(i64) allocsize(0)
declare ptr @calloc(i64, i64)
declare ptr @realloc(ptr, i64)
declare ptr @_Znwm(i64)
declare ptr @_ZnamSt11align_val_t(i64, i64)
declare i32 @posix_memalign(ptr, i64, i64)
declare void @free(ptr)
declare i32 @person(...)
