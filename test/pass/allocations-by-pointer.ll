; Addresses of allocation functions in variables that only the module accesses are those of the twins; others may be
; called by a library, which has no checks.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-DAG: @own = internal global ptr @__ompdsm_malloc
; CHECK-DAG: @table = internal global { i64, { ptr, ptr } } { i64 1, { ptr, ptr } { ptr @__ompdsm_malloc, ptr @__ompdsm_realloc } }
; CHECK-DAG: @shown = internal global ptr @malloc
; CHECK-DAG: @others = global ptr @malloc
@own = internal global ptr @malloc
@table = internal global { i64, { ptr, ptr } } { i64 1, { ptr, ptr } { ptr @malloc, ptr @realloc } }
@shown = internal global ptr @malloc
@others = global ptr @malloc
; CHECK-LABEL: define ptr @by_address(
; CHECK: store ptr @__ompdsm_calloc, ptr @own
; CHECK: store ptr @calloc, ptr @others
; CHECK: store ptr @__ompdsm_calloc, ptr getelementptr
; CHECK: call void @library(ptr @shown, ptr @malloc)
define ptr @by_address() {
  store ptr @calloc, ptr @own
  store ptr @calloc, ptr @others
  store ptr @calloc, ptr getelementptr inbounds ({ i64, { ptr, ptr } }, ptr @table, i64 0, i32 1, i32 0)
  call void @library(ptr @shown, ptr @malloc)
  %own = load ptr, ptr @own
  %a = call ptr %own(i64 8)
  ret ptr %a
}
declare void @library(ptr, ptr)
declare noalias ptr @malloc(i64) allocsize(0)
declare ptr @calloc(i64, i64)
declare ptr @realloc(ptr, i64)
