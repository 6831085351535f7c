; Functions of other modules that get pointers are listed, once for each caller, with their name and a place;
; library functions, runtimes, what gets no pointer and what touches no memory are not.
; RUN: %opt -passes='default<O0>' -S %s -o - | FileCheck %s
source_filename = "caller.c"

; CHECK-DAG: @[[NAME:.*]] = private unnamed_addr constant [8 x i8] c"foreign\00"
; CHECK-DAG: @[[FILE:.*]] = private unnamed_addr constant [9 x i8] c"caller.c\00"
; CHECK-DAG: @[[PLACE:.*]] = private unnamed_addr constant [10 x i8] c"other.c:7\00"
; CHECK-DAG: = private global { ptr, ptr, ptr, i64 } { ptr @foreign, ptr @[[NAME]], ptr @[[FILE]], i64 0 }, section "ompdsm_callees", align 8, !associated ![[FIRST:[0-9]+]]
; CHECK-DAG: = private global { ptr, ptr, ptr, i64 } { ptr @foreign, ptr @{{.*}}, ptr @[[PLACE]], i64 0 }, section "ompdsm_callees", comdat($second), align 8, !associated ![[SECOND:[0-9]+]]
; CHECK-DAG: ![[FIRST]] = !{ptr @first}
; CHECK-DAG: ![[SECOND]] = !{ptr @second}
; CHECK-NOT: { ptr @{{(strlen|omp_|__kmpc|_Fortran|__cxa|value|pure|defined|__ompdsm)}}

$second = comdat any

declare void @foreign(ptr)
declare i64 @strlen(ptr)
declare void @omp_set_lock(ptr)
declare void @__kmpc_barrier(ptr, i32)
declare void @_FortranAStopStatement(ptr)
declare void @__cxa_throw(ptr, ptr, ptr)
declare void @value(i64)
declare i64 @pure(ptr) memory(none)
define void @defined(ptr %p) { ret void }

define void @first(ptr %p) {
  call void @foreign(ptr %p)
  call void @foreign(ptr null)
  %n = call i64 @strlen(ptr %p)
  call void @omp_set_lock(ptr %p)
  call void @__kmpc_barrier(ptr %p, i32 0)
  call void @_FortranAStopStatement(ptr %p)
  call void @value(i64 1)
  %m = call i64 @pure(ptr %p)
  call void @defined(ptr %p)
  call void @__cxa_throw(ptr %p, ptr null, ptr null)
  unreachable
}

define linkonce_odr void @second(ptr %p) comdat !dbg !4 {
  call void @foreign(ptr %p), !dbg !5
  ret void
}

!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2, emissionKind: FullDebug)
!2 = !DIFile(filename: "other.c", directory: "")
!3 = !DISubroutineType(types: !{null})
!4 = distinct !DISubprogram(name: "second", file: !2, type: !3, spFlags: DISPFlagDefinition, unit: !1)
!5 = !DILocation(line: 7, scope: !4)
