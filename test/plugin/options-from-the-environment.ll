; OMPDSM_PASS_OPTIONS serves where a plugin has no arguments.
; RUN: rm -f %t.txt
; RUN: env OMPDSM_PASS_OPTIONS=no-eliminate,report=%t.txt %opt -passes=ompdsm -S %s | FileCheck %s
; RUN: FileCheck %s --check-prefix=REPORT < %t.txt
; CHECK: call {{.*}}_miss
; CHECK: call {{.*}}_miss
; REPORT: read: inserted 2 read checks
define i32 @read(ptr %p) {
  %v = load volatile i32, ptr %p
  %w = load volatile i32, ptr %p
  ret i32 %w
}
