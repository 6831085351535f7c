; A second run changes nothing.
; RUN: %opt -passes=ompdsm -S %s -o %t.once.ll
; RUN: %opt -passes=ompdsm -S %t.once.ll -o %t.twice.ll
; RUN: sed "1d;s,preds = .*,," %t.twice.ll > %t.twice.body
; RUN: sed "1d;s,preds = .*,," %t.once.ll > %t.once.body
; RUN: diff %t.once.body %t.twice.body
; RUN: %opt -passes='ompdsm,ompdsm' -S %s -o %t.both.ll
; RUN: diff %t.once.ll %t.both.ll
; RUN: FileCheck %s < %t.once.ll

; CHECK: !"ompdsm.instrumented"
@g = global i32 0
define i32 @read(ptr %p) {
  %v = load i32, ptr %p
  %w = atomicrmw add ptr %p, i32 1 seq_cst
  %m = call ptr @malloc(i64 8)
  fence seq_cst
  ret i32 %v
}
declare ptr @malloc(i64)
