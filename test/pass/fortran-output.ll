; Statements that write to a unit: the runtime hears of their begin and of each end, with the function
; that writes buffers out. Not of statements that write into a text, nor where the cookie of one may
; have been ended elsewhere.
; RUN: %opt -load-pass-plugin=%plugin -passes=ompdsm -S %s | FileCheck %s
declare ptr @_FortranAioBeginExternalListOutput(i32, ptr, i32)
declare ptr @_FortranAioBeginExternalFormattedOutput(ptr, i64, ptr, i32, ptr, i32)
declare ptr @_FortranAioBeginInternalListOutput(ptr, i64, ptr, i64, ptr, i32)
declare i32 @_FortranAioEndIoStatement(ptr)
declare void @kept(ptr)

; CHECK-LABEL: define void @list(
; CHECK: call void @__ompdsm_fortran_output_begins(i32 6)
; CHECK-NEXT: call ptr @_FortranAioBeginExternalListOutput(
; CHECK: call i32 @_FortranAioEndIoStatement(
; CHECK-NEXT: call void @__ompdsm_fortran_output_ends(i32 6, ptr @_FortranAFlush)
define void @list() {
  %cookie = call ptr @_FortranAioBeginExternalListOutput(i32 6, ptr null, i32 1)
  %status = call i32 @_FortranAioEndIoStatement(ptr %cookie)
  ret void
}

; CHECK-LABEL: define void @formatted(
; CHECK: call void @__ompdsm_fortran_output_begins(i32 %unit)
; CHECK-COUNT-2: call void @__ompdsm_fortran_output_ends(i32 %unit, ptr @_FortranAFlush)
define void @formatted(i32 %unit, i1 %which) {
  %cookie = call ptr @_FortranAioBeginExternalFormattedOutput(ptr null, i64 0, ptr null, i32 %unit, ptr null, i32 1)
  br i1 %which, label %one, label %other
one:
  %a = call i32 @_FortranAioEndIoStatement(ptr %cookie)
  ret void
other:
  %b = call i32 @_FortranAioEndIoStatement(ptr %cookie)
  ret void
}

; CHECK-LABEL: define void @others(
; CHECK-NOT: __ompdsm_fortran_output
; CHECK: ret void
define void @others(ptr %text) {
  %cookie = call ptr @_FortranAioBeginInternalListOutput(ptr %text, i64 20, ptr null, i64 0, ptr null, i32 1)
  %status = call i32 @_FortranAioEndIoStatement(ptr %cookie)
  %open = call ptr @_FortranAioBeginExternalListOutput(i32 6, ptr null, i32 1)
  call void @kept(ptr %open)
  ret void
}
