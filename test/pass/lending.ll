; What a function of another module gets is lent to it, if the runtime has found that it has no checks.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s
declare void @foreign(ptr)
declare void @both(ptr, ptr, ptr)
@variable = global [3 x i64] zeroinitializer
@text = constant [3 x i8] c"ab\00"

; CHECK-LABEL: define void @first(
; CHECK: load volatile i64, ptr getelementptr {{.*}}@ompdsm.callee{{[^,]*}}, i32 0, i32 3)
; CHECK: call void @__ompdsm_lend(ptr %p, i64 0)
; CHECK: call void @foreign(ptr %p)
; CHECK-NOT: __ompdsm_lend
; CHECK: {{^}}}
define void @first(ptr %p) {
  call void @foreign(ptr %p)
  call void @foreign(ptr null)
  ret void
}
; All of an object that is known here, once; constants need no permission.
; CHECK-LABEL: define void @members(
; CHECK: call void @__ompdsm_lend(ptr %object, i64 32)
; CHECK: call void @__ompdsm_lend(ptr @variable, i64 24)
; CHECK-NOT: __ompdsm_lend
; CHECK: {{^}}}
define void @members() {
  %object = alloca [4 x i64]
  %inner = getelementptr i8, ptr %object, i64 8
  call void @both(ptr %inner, ptr @variable, ptr %object)
  call void @foreign(ptr @text)
  ret void
}
