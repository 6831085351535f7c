; A mathematical function may set errno and leaves permissions as they are.
; LLVM 19 does not tell errno from other memory: there the call ends permissions.
; REQUIRES: llvm=22
; RUN: %opt -passes='inferattrs,ompdsm' -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @mathematics(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 8)
; CHECK: call double @sin(
; CHECK-NOT: _miss(
; CHECK: ret double
define double @mathematics(ptr %p) {
  %b = load double, ptr %p
  %c = call double @sin(double %b)
  %e = load double, ptr %p
  ret double %e
}
declare double @sin(double)
