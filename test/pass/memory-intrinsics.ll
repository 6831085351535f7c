; Memory intrinsics ask for their ranges, first for what they read, then to overwrite what they write; of constant size
; up to a line, inline.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-LABEL: define void @variable(
; CHECK: call void @__ompdsm_range_read(ptr %s, i64 %n)
; CHECK-NEXT: call void @__ompdsm_section_overwrite(ptr %d, i64 %n, i64 0, i64 1, i64 0, i64 1)
; CHECK: call void @llvm.memcpy
; CHECK: call void @__ompdsm_range_read(ptr %s2, i64 %n)
; CHECK-NEXT: call void @__ompdsm_section_overwrite(ptr %d2, i64 %n, i64 0, i64 1, i64 0, i64 1)
; CHECK: call void @llvm.memmove
; CHECK: %[[N:.*]] = zext i32 %m to i64
; CHECK: call void @__ompdsm_section_overwrite(ptr %d3, i64 %[[N]], i64 0, i64 1, i64 0, i64 1)
; CHECK-NEXT: call void @llvm.memset
define void @variable(ptr %d, ptr %s, i64 %n, ptr %d2, ptr %s2, ptr %d3, i32 %m) {
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %s, i64 %n, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr %d2, ptr %s2, i64 %n, i1 false)
  call void @llvm.memset.p0.i32(ptr %d3, i8 0, i32 %m, i1 false)
  ret void
}

; CHECK-LABEL: define void @small(
; CHECK-NOT: __ompdsm_range
; CHECK-DAG: @__ompdsm_read_miss(ptr %s, i64 24)
; CHECK-DAG: @__ompdsm_write_miss(ptr %d, i64 24)
; CHECK-NOT: __ompdsm_
; CHECK: call void @llvm.memcpy
define void @small(ptr %d, ptr %s) {
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %s, i64 24, i1 false)
  ret void
}

; CHECK-LABEL: define void @others(
; CHECK-DAG: @__ompdsm_range_read(ptr %s, i64 100)
; CHECK-DAG: @__ompdsm_range_write(ptr %d, i64 100)
; CHECK: call void @llvm.memcpy.inline
; CHECK: @__ompdsm_range_write(ptr %e, i64 200)
; CHECK: call void @llvm.memset.inline
; CHECK-DAG: @__ompdsm_range_read(ptr %s3, i64 %n)
; CHECK-DAG: @__ompdsm_section_overwrite(ptr %d3, i64 %n, i64 0, i64 1, i64 0, i64 1)
; CHECK: call void @llvm.memcpy.element.unordered.atomic
define void @others(ptr %d, ptr %s, ptr %e, ptr %d3, ptr %s3, i64 %n) {
  call void @llvm.memcpy.inline.p0.p0.i64(ptr %d, ptr %s, i64 100, i1 false)
  call void @llvm.memset.inline.p0.i64(ptr %e, i8 0, i64 200, i1 false)
  call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 8 %d3, ptr align 8 %s3, i64 %n, i32 8)
  ret void
}

; CHECK-LABEL: define void @nothing(
; CHECK-NOT: __ompdsm_
; CHECK: ret void
define void @nothing(ptr %d, ptr %s) {
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %s, i64 0, i1 false)
  ret void
}
