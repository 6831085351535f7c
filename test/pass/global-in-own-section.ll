; A mutable variable that the program puts into a section of its own stays private to each node: a warning names it.
; RUN: %opt -passes=ompdsm -S %s 2>&1 | FileCheck %s

; CHECK: warning: ompdsm: variable 'mine' is in section 'mysection' and stays private to each node
; CHECK-NOT: warning
; CHECK: @mine = global i32 0, section "mysection"{{$}}
@mine = global i32 0, section "mysection"
@fixed = constant i32 1, section "mysection"
