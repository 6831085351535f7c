; A reduction whose objects' sizes cannot be found gets no sizes, with a warning.
; RUN: %opt -passes=ompdsm-prepare -S %s 2>&1 | FileCheck %s

; CHECK: warning: {{.*}}in function reduce i32 (ptr, ptr, ptr, ptr): ompdsm: the sizes of this reduction's objects are not known
; CHECK: call i32 @__ompdsm_reduce(ptr %loc, i32 0, i32 1, i64 8, ptr %list, ptr %f, ptr %lock, ptr null, i32 0)
define i32 @reduce(ptr %loc, ptr %list, ptr %f, ptr %lock) {
  %r = call i32 @__kmpc_reduce(ptr %loc, i32 0, i32 1, i64 8, ptr %list, ptr %f, ptr %lock)
  ret i32 %r
}
declare i32 @__kmpc_reduce(ptr, i32, i32, i64, ptr, ptr, ptr)
