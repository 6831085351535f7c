; Locks of critical sections and threadprivate caches are libomp's: neither checked nor placed.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK: @.gomp_critical_user_name.var = common global [8 x i32] zeroinitializer
; CHECK-NOT: #
; CHECK: @x.cache. = common global ptr null
; CHECK-NOT: #
; CHECK-LABEL: define i32 @read(
; CHECK-NOT: __ompdsm_
@.gomp_critical_user_name.var = common global [8 x i32] zeroinitializer
@x.cache. = common global ptr null
define i32 @read() {
  %v = load i32, ptr @.gomp_critical_user_name.var
  %w = load ptr, ptr @x.cache.
  ret i32 %v
}
