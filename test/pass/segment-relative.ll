; FS and GS relative memory belongs to the thread.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-LABEL: define i64 @canary(
; CHECK-NOT: __ompdsm_
; CHECK: ret i64
define i64 @canary() {
  %a = load i64, ptr addrspace(257) inttoptr (i64 40 to ptr addrspace(257))
  %b = load i64, ptr addrspace(256) inttoptr (i64 40 to ptr addrspace(256))
  %s = add i64 %a, %b
  ret i64 %s
}
