; Thread-local variables are not checked.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

@t = thread_local global [4 x i32] zeroinitializer

; CHECK-LABEL: define i32 @read(
; CHECK-NOT: __ompdsm_
; CHECK: ret i32
define i32 @read(i64 %i) {
  %a = call ptr @llvm.threadlocal.address.p0(ptr @t)
  %p = getelementptr i32, ptr %a, i64 %i
  store i32 1, ptr %p
  %v = load i32, ptr @t
  ret i32 %v
}
; CHECK-NOT: ompdsm_bss
