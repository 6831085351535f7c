; Filling memory with a value asks for the range. LLVM 19 has no such intrinsic.
; REQUIRES: llvm=22
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-LABEL: define void @fill(
; CHECK: %[[BYTES:.*]] = mul i64 %n, 4
; CHECK: @__ompdsm_range_write(ptr %f, i64 %[[BYTES]])
; CHECK: call void @llvm.experimental.memset.pattern
define void @fill(ptr %f, i64 %n) {
  call void @llvm.experimental.memset.pattern.p0.i32.i64(ptr align 4 %f, i32 7, i64 %n, i1 false)
  ret void
}
