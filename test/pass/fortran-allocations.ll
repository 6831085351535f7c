; What flang's runtime allocates for the program is said to it: before the call if it leaves the contents
; to the program (1) or writes them (2), and behind it (0). And what it keeps behind pointers is asked for.
; RUN: %opt -passes='default<O2>' -S %s -o - | FileCheck %s
target triple = "x86_64-pc-linux-gnu"
declare i32 @_FortranAPointerAllocate(ptr, i1, ptr, ptr, i32)
declare i32 @_FortranAPointerAllocateSource(ptr, ptr, i1, ptr, ptr, i32)
declare i32 @_FortranAPointerDeallocate(ptr, i1, ptr, ptr, i32)
declare void @_FortranAAssign(ptr, ptr, ptr, i32)
declare double @_FortranASumReal8(ptr, ptr, i32, i32, ptr)
; CHECK-LABEL: @calls(
define void @calls(ptr %a, ptr %b) {
; CHECK: call void @__ompdsm_fortran_allocation(i32 1)
; CHECK-NEXT: call i32 @_FortranAPointerAllocate(
; CHECK-NEXT: call void @__ompdsm_fortran_allocation(i32 0)
  %1 = call i32 @_FortranAPointerAllocate(ptr %a, i1 false, ptr null, ptr null, i32 1)
; CHECK: call void @__ompdsm_fortran_allocation(i32 2)
; CHECK-NEXT: call i32 @_FortranAPointerAllocateSource(
; CHECK-NEXT: call void @__ompdsm_fortran_allocation(i32 0)
  %2 = call i32 @_FortranAPointerAllocateSource(ptr %a, ptr %b, i1 false, ptr null, ptr null, i32 1)
; CHECK: call void @__ompdsm_fortran_allocation(i32 2)
; CHECK-NEXT: call void @_FortranAAssign(
  call void @_FortranAAssign(ptr %a, ptr %b, ptr null, i32 1)
; CHECK: call void @__ompdsm_fortran_argument(ptr %a, i64 0, i32 0)
; CHECK-NOT: fortran_allocation(i32 {{[12]}})
; CHECK: call double @_FortranASumReal8(
  %3 = call double @_FortranASumReal8(ptr %a, ptr null, i32 1, i32 0, ptr null)
; CHECK: call void @__ompdsm_fortran_argument(ptr %a, i64 0, i32 2)
; CHECK: call i32 @_FortranAPointerDeallocate(
  %4 = call i32 @_FortranAPointerDeallocate(ptr %a, i1 false, ptr null, ptr null, i32 1)
  ret void
}
