; An access that may straddle two groups tests both by one load, and where one misses the lines that it touches;
; link-time optimisation has no load of both groups that acquires.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s
; RUN: %opt -passes=ompdsm-prelink -S %s | FileCheck %s --check-prefix=LINK

; CHECK-LABEL: define i64 @unaligned(
; CHECK: %[[S:.*]] = load volatile i16, ptr %{{.*}}, align 1
; CHECK: and i16 %[[S]], 257
; CHECK: br i1 %{{.*}}, label %[[SLOW:.*]], label %[[REST:.*]], !prof
; CHECK: [[SLOW]]:
; CHECK: %[[A:.*]] = ptrtoint ptr %p to i64
; CHECK: %[[S1:.*]] = load volatile i8
; CHECK: add i64 %[[A]], 7
; CHECK: %[[S2:.*]] = load volatile i8
; CHECK: or i8 %[[S1]], %[[S2]]
; CHECK: call preserve_mostcc void @__ompdsm_read_miss(ptr %p, i64 8)
; CHECK-NOT: _miss
; CHECK: ret i64
; LINK-LABEL: define i64 @unaligned(
; LINK: %[[A:.*]] = ptrtoint ptr %p to i64
; LINK: %[[S1:.*]] = load atomic i8
; LINK: add i64 %[[A]], 7
; LINK: %[[S2:.*]] = load atomic i8
; LINK: or i8 %[[S1]], %[[S2]]
; LINK-COUNT-2: load atomic i8
; LINK: @__ompdsm_read_miss(ptr %p, i64 8)
; LINK-NOT: _miss
; LINK: ret i64
define i64 @unaligned(ptr %p) {
  %v = load i64, ptr %p, align 4
  ret i64 %v
}

; CHECK-LABEL: define <4 x double> @vector(
; CHECK: add i64 %{{.*}}, 31
; CHECK: @__ompdsm_read_miss(ptr %p, i64 32)
define <4 x double> @vector(ptr %p) {
  %v = load <4 x double>, ptr %p, align 8
  ret <4 x double> %v
}

; CHECK-LABEL: define void @written(
; CHECK: and i16 %{{.*}}, 514
; CHECK: @__ompdsm_write_miss(ptr %p, i64 8)
define void @written(ptr %p) {
  store i64 0, ptr %p, align 4
  ret void
}

; The pointer is known to be better aligned than the instruction says.
; CHECK-LABEL: define i64 @known(
; CHECK-COUNT-2: load volatile i8
; CHECK-NOT: load volatile i8
; CHECK: ret i64
define i64 @known(ptr align 64 %p) {
  %q = getelementptr i8, ptr %p, i64 16
  %v = load i64, ptr %q, align 1
  ret i64 %v
}
