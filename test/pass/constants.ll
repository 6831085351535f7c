; Constants that the module defines are not checked; what another module defines as constant may have a run-time initialiser.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

@table = internal constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@elsewhere = external constant i32
@replaceable = weak constant i32 5

; CHECK-LABEL: define i32 @ours(
; CHECK-NOT: __ompdsm_
; CHECK: ret i32
define i32 @ours(i64 %i) {
  %p = getelementptr [4 x i32], ptr @table, i64 0, i64 %i
  %v = load i32, ptr %p
  ret i32 %v
}
; CHECK-LABEL: define i32 @others(
; CHECK: @__ompdsm_read_miss(ptr @elsewhere, i64 4)
define i32 @others() {
  %v = load i32, ptr @elsewhere
  ret i32 %v
}
; CHECK-LABEL: define i32 @weak(
; CHECK: @__ompdsm_read_miss(ptr @replaceable, i64 4)
define i32 @weak() {
  %v = load i32, ptr @replaceable
  ret i32 %v
}
