; Naked functions, copies of functions that are defined elsewhere, and the runtime's own functions are left alone.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-NOT: _miss
@g = external global i32
define void @bare() naked {
  store i32 1, ptr @g
  unreachable
}
define available_externally i32 @copy(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @__ompdsm_mine(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
