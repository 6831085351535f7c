; Expanding loads and compressing stores ask for as many elements as there are active lanes.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-LABEL: define <4 x double> @expand(
; CHECK: %[[BITS:.*]] = bitcast <4 x i1> %m to i4
; CHECK: %[[COUNT:.*]] = call i4 @llvm.ctpop.i4(i4 %[[BITS]])
; CHECK: %[[WIDE:.*]] = zext i4 %[[COUNT]] to i64
; CHECK: %[[LENGTH:.*]] = mul i64 %[[WIDE]], 8
; CHECK: icmp ne i64 %[[LENGTH]], 0
; CHECK: @__ompdsm_read_miss(ptr %p, i64 %[[LENGTH]])
define <4 x double> @expand(ptr %p, <4 x i1> %m) {
  %v = call <4 x double> @llvm.masked.expandload.v4f64(ptr %p, <4 x i1> %m, <4 x double> zeroinitializer)
  ret <4 x double> %v
}

; CHECK-LABEL: define void @compress(
; CHECK: %[[LENGTH:.*]] = mul i64
; CHECK: call void @__ompdsm_range_write(ptr %p, i64 %[[LENGTH]])
define void @compress(ptr %p, <16 x double> %v, <16 x i1> %m) {
  call void @llvm.masked.compressstore.v16f64(<16 x double> %v, ptr %p, <16 x i1> %m)
  ret void
}
