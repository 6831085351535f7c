; The tests of this directory can fail: FileCheck finds neither a check that is not there, nor overlooks one that is.
; RUN: %opt -passes=ompdsm -S %s | not FileCheck %s --check-prefix=MISSING
; RUN: %opt -passes=ompdsm -S %s | not FileCheck %s --check-prefix=PRESENT
; RUN: not %opt -passes=ompdsm-no-such-pass -S %s

; MISSING: call {{.*}}@__ompdsm_write_miss
; PRESENT-NOT: @__ompdsm_read_miss
define i32 @read(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
