; A check computes its address by itself: with that of the access it would be computed into a register in front of
; the check, and the access would wait for it.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s
; RUN: %opt -passes=ompdsm %s -o %t.bc && %clang -O2 -Xclang -disable-llvm-passes -Wno-override-module -S %t.bc -o - | FileCheck %s --check-prefix=CODE

; CHECK-LABEL: define i64 @field(
; CHECK: %q = getelementptr i8, ptr %p, i64 16
; CHECK: %[[C:q[0-9]+]] = getelementptr i8, ptr %p, i64 16
; CHECK: ptrtoint ptr %[[C]] to i64
; CHECK: load i64, ptr %q
; CODE-LABEL: field:
; CODE: movq{{.*}}16(%rdi), %rax
define i64 @field(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 16
  %v = load i64, ptr %q
  ret i64 %v
}

; Also one from which other addresses are computed.
; CHECK-LABEL: define i64 @element(
; CHECK: %[[C:q[0-9]+]] = getelementptr i64, ptr %p, i64 %i
; CHECK: ptrtoint ptr %[[C]] to i64
; CODE-LABEL: element:
; CODE: movq{{.*}}(%rdi,%rsi,8), %
define i64 @element(ptr %p, i64 %i) {
  %q = getelementptr i64, ptr %p, i64 %i
  %v = load volatile i64, ptr %q
  %r = getelementptr i8, ptr %q, i64 128
  %w = load i64, ptr %r
  %s = add i64 %v, %w
  ret i64 %s
}

; One that is in a register anyhow is used as it is.
; CHECK-LABEL: define ptr @returned(
; CHECK: %q = getelementptr i8, ptr %p, i64 16
; CHECK-NOT: getelementptr
; CHECK: ptrtoint ptr %q to i64
; CHECK: ret ptr
define ptr @returned(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 16
  store i64 0, ptr %q
  ret ptr %q
}

; CHECK-LABEL: define void @stored(
; CHECK: ptrtoint ptr %q to i64
define void @stored(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 16
  store ptr %q, ptr %q
  ret void
}
