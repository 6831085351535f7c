; Where an optimiser runs later, states are read by acquire loads, which no access can be moved above.
; RUN: %opt -passes=ompdsm-prelink -S %s | FileCheck %s

; CHECK: load atomic i8, ptr %{{.*}} acquire, align 1
; CHECK-NOT: load volatile
define i32 @read(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
