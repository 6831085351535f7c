; A procedure argument of Fortran may point to code on the stack of its host, on another node: what is
; called is asked for as what is read. Not in C and C++, which have no such code.
; RUN: %opt -passes='default<O1>' -S %s -o - | FileCheck %s
; RUN: sed 's/flang version/clang version/' %s | %opt -passes='default<O1>' -S -o - | FileCheck --check-prefix=C %s
target triple = "x86_64-pc-linux-gnu"
; CHECK-LABEL: @calls(
; CHECK: ptrtoint ptr %procedure to i64
; CHECK: call {{.*}}@__ompdsm_
; CHECK: call void %procedure(
; C-LABEL: @calls(
; C-NOT: __ompdsm
; C: call void %procedure(
define void @calls(ptr %procedure) {
  call void %procedure(ptr null)
  ret void
}
!llvm.ident = !{!0}
!0 = !{!"Debian flang version 22.1.8"}
