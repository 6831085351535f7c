; Neighbouring accesses from one pointer that certainly follow each other have one check, of up to a line's length.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s
; What may follow is the subject of conditional-reads.ll.
declare void @synchronises()

; CHECK-LABEL: define i64 @fields(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 24)
; CHECK-NOT: _miss(
; CHECK: ret i64
define i64 @fields(ptr align 8 %p) {
  %q = getelementptr i8, ptr %p, i64 16
  %a = load i64, ptr %q
  %b = load i64, ptr %p
  %s = add i64 %a, %b
  ret i64 %s
}
; 200 bytes: four checks.
; CHECK-LABEL: define void @run(
; CHECK-COUNT-2: @__ompdsm_write_miss(ptr {{.*}}, i64 64)
; CHECK: @__ompdsm_write_miss(ptr {{.*}}, i64 8)
; CHECK-NOT: _miss(
; CHECK: ret void
define void @run(ptr align 8 %p) {
  store i64 0, ptr %p
  %p1 = getelementptr i8, ptr %p, i64 8
  store i64 1, ptr %p1
  %p2 = getelementptr i8, ptr %p, i64 16
  store i64 2, ptr %p2
  %p3 = getelementptr i8, ptr %p, i64 24
  store i64 3, ptr %p3
  %p4 = getelementptr i8, ptr %p, i64 32
  store i64 4, ptr %p4
  %p5 = getelementptr i8, ptr %p, i64 40
  store i64 5, ptr %p5
  %p6 = getelementptr i8, ptr %p, i64 48
  store i64 6, ptr %p6
  %p7 = getelementptr i8, ptr %p, i64 56
  store i64 7, ptr %p7
  %p8 = getelementptr i8, ptr %p, i64 64
  store i64 8, ptr %p8
  %p9 = getelementptr i8, ptr %p, i64 72
  store i64 9, ptr %p9
  %p10 = getelementptr i8, ptr %p, i64 80
  store i64 10, ptr %p10
  %p11 = getelementptr i8, ptr %p, i64 88
  store i64 11, ptr %p11
  %p12 = getelementptr i8, ptr %p, i64 96
  store i64 12, ptr %p12
  %p13 = getelementptr i8, ptr %p, i64 104
  store i64 13, ptr %p13
  %p14 = getelementptr i8, ptr %p, i64 112
  store i64 14, ptr %p14
  %p15 = getelementptr i8, ptr %p, i64 120
  store i64 15, ptr %p15
  %p16 = getelementptr i8, ptr %p, i64 128
  store i64 16, ptr %p16
  ret void
}
; A read does not become a write's.
; CHECK-LABEL: define i64 @kinds(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 8)
; CHECK: @__ompdsm_write_miss(ptr %q{{[0-9]*}}, i64 8)
define i64 @kinds(ptr align 8 %p) {
  %a = load i64, ptr %p
  %q = getelementptr i8, ptr %p, i64 8
  store i64 1, ptr %q
  ret i64 %a
}
; Nor is anything asked for that is only accessed after a synchronisation point, or to write what may not be written.
; CHECK-LABEL: define i64 @later(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 8)
; CHECK: @__ompdsm_read_miss(ptr %q{{[0-9]*}}, i64 8)
define i64 @later(ptr align 8 %p) {
  %a = load i64, ptr %p
  call void @synchronises()
  %q = getelementptr i8, ptr %p, i64 8
  %b = load i64, ptr %q
  %s = add i64 %a, %b
  ret i64 %s
}
; CHECK-LABEL: define void @maybe(
; CHECK: @__ompdsm_write_miss(ptr %p, i64 8)
; CHECK: @__ompdsm_write_miss(ptr %q{{[0-9]*}}, i64 8)
define void @maybe(ptr align 8 %p, i1 %c) {
  store i64 1, ptr %p
  br i1 %c, label %next, label %end
next:
  %q = getelementptr i8, ptr %p, i64 8
  store i64 2, ptr %q
  br label %end
end:
  ret void
}
; CHECK-LABEL: define void @ends(
; CHECK: @__ompdsm_write_miss(ptr %p, i64 8)
; CHECK: @__ompdsm_write_miss(ptr %q{{[0-9]*}}, i64 8)
declare void @exits() nosync nounwind
define void @ends(ptr align 8 %p) {
  store i64 1, ptr %p
  call void @exits()
  %q = getelementptr i8, ptr %p, i64 8
  store i64 2, ptr %q
  ret void
}
; Too far apart.
; CHECK-LABEL: define i64 @far(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 8)
; CHECK: @__ompdsm_read_miss(ptr %q{{[0-9]*}}, i64 8)
define i64 @far(ptr align 8 %p) {
  %a = load i64, ptr %p
  %q = getelementptr i8, ptr %p, i64 64
  %b = load i64, ptr %q
  %s = add i64 %a, %b
  ret i64 %s
}
