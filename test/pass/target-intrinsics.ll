; Intrinsics that access memory in ways the pass does not know are reported with their names.
; RUN: %opt -passes=ompdsm -disable-output %s 2>&1 | FileCheck %s

; CHECK: warning: {{.*}}in function gather <2 x double> (ptr): ompdsm: memory accesses of llvm.x86.avx2.gather.d.pd are not instrumented
; CHECK-NOT: warning
define <2 x double> @gather(ptr %p) {
  %v = call <2 x double> @llvm.x86.avx2.gather.d.pd(<2 x double> undef, ptr %p, <4 x i32> zeroinitializer, <2 x double> zeroinitializer, i8 8)
  ret <2 x double> %v
}
define void @harmless(ptr %p) {
  call void @llvm.prefetch.p0(ptr %p, i32 0, i32 3, i32 1)
  call void @llvm.assume(i1 true) [ "nonnull"(ptr %p) ]
  ret void
}
declare <2 x double> @llvm.x86.avx2.gather.d.pd(<2 x double>, ptr, <4 x i32>, <2 x double>, i8)
