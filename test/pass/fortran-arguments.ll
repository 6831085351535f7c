; What flang's runtime gets is asked for: texts with their length, all but constants and the runtime's
; own statement; for reading where it is known to read only.
; RUN: %opt -passes='default<O2>' -S %s -o - | FileCheck %s
target triple = "x86_64-pc-linux-gnu"
@format = internal constant [3 x i8] c"(i)"
declare ptr @_FortranAioBeginInternalFormattedOutput(ptr, i64, ptr, i64, ptr, ptr, i64, ptr, i32)
declare i1 @_FortranAioOutputDescriptor(ptr, ptr)
declare i1 @_FortranAioInputReal64(ptr, ptr)
declare double @_FortranASumReal8(ptr, ptr, i32, i32, ptr)
declare void @_FortranASumDim(ptr, ptr, i32, ptr, i32, ptr)
; CHECK-LABEL: @calls(
define void @calls(ptr %text, i64 %length, ptr %array, ptr %mask) {
; CHECK: call void @__ompdsm_fortran_argument(ptr %text, i64 %length, i32 1)
; CHECK-NOT: @__ompdsm_fortran_argument(ptr {{[a-z ]*}}@format
; CHECK: %io = {{.*}}call ptr @_FortranAioBeginInternalFormattedOutput
  %io = call ptr @_FortranAioBeginInternalFormattedOutput(ptr %text, i64 %length, ptr @format, i64 3, ptr null, ptr null, i64 0, ptr @format, i32 1)
; CHECK-NOT: @__ompdsm_fortran_argument(ptr %io
; CHECK: call void @__ompdsm_fortran_argument(ptr %array, i64 0, i32 0)
; CHECK: call i1 @_FortranAioOutputDescriptor
  %1 = call i1 @_FortranAioOutputDescriptor(ptr %io, ptr %array)
; CHECK: call void @__ompdsm_fortran_argument(ptr %array, i64 0, i32 1)
; CHECK: call i1 @_FortranAioInputReal64
  %2 = call i1 @_FortranAioInputReal64(ptr %io, ptr %array)
; CHECK: call void @__ompdsm_fortran_argument(ptr %array, i64 0, i32 0)
; CHECK: call void @__ompdsm_fortran_argument(ptr %mask, i64 0, i32 0)
; CHECK: call double @_FortranASumReal8
  %3 = call double @_FortranASumReal8(ptr %array, ptr @format, i32 1, i32 0, ptr %mask)
; CHECK: call void @__ompdsm_fortran_argument(ptr %array, i64 0, i32 1)
; CHECK: call void @_FortranASumDim
  call void @_FortranASumDim(ptr %array, ptr @format, i32 1, ptr @format, i32 1, ptr null)
  ret void
}
