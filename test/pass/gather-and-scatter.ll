; Gathers and scatters look up the states of their active lanes, branch once, and ask lane by lane on the slow path.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-LABEL: define <2 x double> @gather(
; CHECK: %[[M0:.*]] = extractelement <2 x i1> %m, i64 0
; CHECK: %[[P0:.*]] = extractelement <2 x ptr> %p, i64 0
; CHECK: %[[A0:.*]] = ptrtoint ptr %[[P0]] to i64
; CHECK: select i1 %[[M0]], i64 %[[A0]], i64 0
; CHECK: load volatile i8
; CHECK: extractelement <2 x i1> %m, i64 1
; CHECK: load volatile i8
; CHECK-NOT: load volatile i8
; CHECK: br i1 %{{.*}}, label %[[SLOW:.*]], label %[[FAST:.*]], !prof
; CHECK: %[[LANE:.*]] = phi i64
; CHECK: %[[ACTIVE:.*]] = extractelement <2 x i1> %m, i64 %[[LANE]]
; CHECK: br i1 %[[ACTIVE]]
; CHECK: %[[P:.*]] = extractelement <2 x ptr> %p, i64 %[[LANE]]
; CHECK: @__ompdsm_read_miss(ptr %[[P]], i64 8)
; CHECK-NOT: _miss(
; CHECK: @llvm.masked.gather
define <2 x double> @gather(<2 x ptr> %p, <2 x i1> %m) {
  %v = call <2 x double> @llvm.masked.gather.v2f64.v2p0(<2 x ptr> align 8 %p, <2 x i1> %m, <2 x double> zeroinitializer)
  ret <2 x double> %v
}

; CHECK-LABEL: define void @scatter(
; CHECK: and i8 %{{.*}}, 2
; CHECK: @__ompdsm_write_miss(
; CHECK: @llvm.masked.scatter
define void @scatter(<4 x ptr> %p, <4 x float> %v) {
  call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %v, <4 x ptr> align 4 %p, <4 x i1> splat (i1 true))
  ret void
}

; Lanes of a constant table need no check.
@table = internal constant [8 x double] zeroinitializer
; CHECK-LABEL: define <2 x double> @constant(
; CHECK-NOT: __ompdsm_
; CHECK: ret <2 x double>
define <2 x double> @constant(<2 x i64> %i) {
  %p = getelementptr [8 x double], ptr @table, i64 0, <2 x i64> %i
  %v = call <2 x double> @llvm.masked.gather.v2f64.v2p0(<2 x ptr> align 8 %p, <2 x i1> splat (i1 true), <2 x double> zeroinitializer)
  ret <2 x double> %v
}
