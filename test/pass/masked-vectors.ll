; Masked loads and stores ask for their active lanes only: from the first to the last one.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-LABEL: define <4 x double> @load(
; CHECK: %[[BITS:.*]] = bitcast <4 x i1> %m to i4
; CHECK: %[[WIDE:.*]] = zext i4 %[[BITS]] to i64
; CHECK: %[[FIRST:.*]] = call i64 @llvm.cttz.i64(i64 %[[WIDE]], i1 false)
; CHECK: %[[LEADING:.*]] = call i64 @llvm.ctlz.i64(i64 %[[WIDE]], i1 false)
; CHECK: %[[END:.*]] = sub i64 64, %[[LEADING]]
; CHECK: %[[LANES:.*]] = sub i64 %[[END]], %[[FIRST]]
; CHECK: %[[BYTES:.*]] = mul i64 %[[LANES]], 8
; CHECK: %[[LENGTH:.*]] = select i1 %{{.*}}, i64 %[[BYTES]], i64 0
; CHECK: %[[BEGIN:.*]] = getelementptr i8, ptr %p, i64
; CHECK: %[[ACTIVE:.*]] = icmp ne i64 %[[LENGTH]], 0
; CHECK: select i1 %[[ACTIVE]], i64 %{{.*}}, i64 0
; CHECK: select i1 %[[ACTIVE]], i64 %{{.*}}, i64 0
; CHECK: @__ompdsm_read_miss(ptr %[[BEGIN]], i64 %[[LENGTH]])
; CHECK: @llvm.masked.load
define <4 x double> @load(ptr %p, <4 x i1> %m) {
  %v = call <4 x double> @llvm.masked.load.v4f64.p0(ptr align 8 %p, <4 x i1> %m, <4 x double> zeroinitializer)
  ret <4 x double> %v
}

; CHECK-LABEL: define void @store(
; CHECK: and i8 %{{.*}}, 2
; CHECK: @__ompdsm_write_miss(
; CHECK: @llvm.masked.store
define void @store(ptr %p, <8 x i32> %v, <8 x i1> %m) {
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %v, ptr align 4 %p, <8 x i1> %m)
  ret void
}

; Lanes 1 and 2 of a constant mask: bytes 8 to 24.
; CHECK-LABEL: define <4 x double> @constant(
; CHECK-NOT: cttz
; CHECK: %[[BEGIN:.*]] = getelementptr i8, ptr %p, i64 8
; CHECK: @__ompdsm_read_miss(ptr %[[BEGIN]], i64 16)
define <4 x double> @constant(ptr %p) {
  %v = call <4 x double> @llvm.masked.load.v4f64.p0(ptr align 8 %p, <4 x i1> <i1 false, i1 true, i1 true, i1 false>, <4 x double> zeroinitializer)
  ret <4 x double> %v
}

; CHECK-LABEL: define <4 x double> @all(
; CHECK-NOT: cttz
; CHECK: @__ompdsm_read_miss(ptr %p, i64 32)
define <4 x double> @all(ptr %p) {
  %v = call <4 x double> @llvm.masked.load.v4f64.p0(ptr align 8 %p, <4 x i1> splat (i1 true), <4 x double> zeroinitializer)
  ret <4 x double> %v
}

; A vector of two lines is asked for line by line.
; CHECK-LABEL: define <16 x double> @wide(
; CHECK: @__ompdsm_read_miss(
; CHECK: @__ompdsm_read_miss(
; CHECK-NOT: _miss(
; CHECK: @llvm.masked.load
define <16 x double> @wide(ptr %p, <16 x i1> %m) {
  %v = call <16 x double> @llvm.masked.load.v16f64.p0(ptr align 8 %p, <16 x i1> %m, <16 x double> zeroinitializer)
  ret <16 x double> %v
}
