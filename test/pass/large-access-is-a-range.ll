; What is larger than a line asks for its whole range.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-LABEL: define void @copy(
; CHECK-NEXT: call void @__ompdsm_range_read(ptr %p, i64 128)
; CHECK-NEXT: load <16 x double>
; CHECK-NEXT: call void @__ompdsm_range_write(ptr %q, i64 128)
; CHECK-NEXT: store <16 x double>
; CHECK-NEXT: ret void
define void @copy(ptr %p, ptr %q) {
  %v = load <16 x double>, ptr %p, align 128
  store <16 x double> %v, ptr %q, align 128
  ret void
}

; CHECK-LABEL: define void @aggregate(
; CHECK: call void @__ompdsm_range_write(ptr %q, i64 80)
define void @aggregate(ptr %q, [10 x i64] %v) {
  store [10 x i64] %v, ptr %q
  ret void
}
