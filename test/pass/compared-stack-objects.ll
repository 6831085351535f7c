; Stack objects whose address is only compared are not checked.
; LLVM 19 does not tell a comparison from a use that lets the address out: there they are checked.
; REQUIRES: llvm=22
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

; CHECK-NOT: _miss(
; The address as a number grants no access.
; CHECK-LABEL: define i1 @compared(
define i1 @compared(ptr %other) {
  %a = alloca i32
  store i32 1, ptr %a
  %same = icmp eq ptr %a, %other
  ret i1 %same
}
