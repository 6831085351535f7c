; Link-time optimisation merges modules: functions of one that was compiled without the plugin are still instrumented.
; RUN: %opt -passes=ompdsm %s -o %t.with.bc
; RUN: sed 's/@read/@read_too/' %s | opt -o %t.without.bc
; RUN: llvm-link %t.with.bc %t.without.bc -o %t.bc
; RUN: %opt -passes=ompdsm -S %t.bc | FileCheck %s

; CHECK-LABEL: define i32 @read(
; CHECK: call {{.*}}@__ompdsm_read_miss
; CHECK-NOT: call {{.*}}@__ompdsm_read_miss
; CHECK-LABEL: define i32 @read_too(
; CHECK: call {{.*}}@__ompdsm_read_miss
define i32 @read(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
