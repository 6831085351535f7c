; A fence stays and is followed by the runtime's; one for signal handlers stays as it is.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-LABEL: define void @fences(
; CHECK-NEXT: fence release
; CHECK-NEXT: call void @__ompdsm_fence(i32 3)
; CHECK-NEXT: fence seq_cst
; CHECK-NEXT: call void @__ompdsm_fence(i32 5)
; CHECK-NEXT: fence syncscope("singlethread") seq_cst
; CHECK-NEXT: ret void
define void @fences() {
  fence release
  fence seq_cst
  fence syncscope("singlethread") seq_cst
  ret void
}
