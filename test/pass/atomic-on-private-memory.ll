; Atomics on stack objects whose address does not escape stay instructions.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-LABEL: define i32 @private(
; CHECK-NOT: __ompdsm_
; CHECK: atomicrmw add
; CHECK: cmpxchg
; CHECK: load atomic i32
; CHECK: store atomic i32
; CHECK-NOT: __ompdsm_
; CHECK: ret i32
define i32 @private() {
  %a = alloca i32
  store i32 0, ptr %a
  %r = atomicrmw add ptr %a, i32 1 seq_cst
  %x = cmpxchg ptr %a, i32 1, i32 2 seq_cst seq_cst
  %v = load atomic i32, ptr %a seq_cst, align 4
  store atomic i32 5, ptr %a seq_cst, align 4
  ret i32 %v
}
