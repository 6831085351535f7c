; A parameter in memory whose address others may get is copied, by stores with checks; another one is not.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"
%S = type { [10 x i64] }
declare void @keep(ptr)

; CHECK-LABEL: define void @shared(
; CHECK-NEXT: %[[COPY:.*]] = alloca %S, align 8
; CHECK-NEXT: call void @__ompdsm_range_write(ptr %[[COPY]], i64 80)
; CHECK-NEXT: call void @llvm.memcpy.p0.p0.i64(ptr align 8 %[[COPY]], ptr align 8 %p, i64 80, i1 false)
; CHECK: call void @keep(ptr %[[COPY]])
define void @shared(ptr byval(%S) align 8 %p) {
  call void @keep(ptr %p)
  ret void
}
; CHECK-LABEL: define i64 @private(
; CHECK-NEXT: load i64, ptr %p
define i64 @private(ptr byval(%S) align 8 %p) {
  %v = load i64, ptr %p
  ret i64 %v
}
