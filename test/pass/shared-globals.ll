; Mutable variables with definitions go to the shared sections; what is not theirs stays.
; RUN: %opt -passes=ompdsm -S %s 2>&1 | FileCheck %s

; CHECK: @number = global i32 1, align 16 #[[SMALL:[0-9]+]]
@number = global i32 1
; CHECK: @hidden = internal global [100 x i64] zeroinitializer, align 32 #[[SMALL]]
@hidden = internal global [100 x i64] zeroinitializer, align 32
; CHECK: @limit = global [16384 x i8] zeroinitializer, align 16 #[[SMALL]]
@limit = global [16384 x i8] zeroinitializer
; CHECK: @large = global [16385 x i8] zeroinitializer, align 1024 #[[LARGE:[0-9]+]]
@large = global [16385 x i8] zeroinitializer
; CHECK: @page = global [20000 x i8] zeroinitializer, align 4096 #[[LARGE]]
@page = global [20000 x i8] zeroinitializer, align 4096
; CHECK: @inline = linkonce_odr global i32 2, comdat, align 16 #[[SMALL]]
$inline = comdat any
@inline = linkonce_odr global i32 2, comdat
; CHECK: @tentative = weak global i32 0, align 16 #[[SMALL]]
@tentative = common global i32 0
; CHECK: @guard = internal global i64 0, align 16 #[[SMALL]]
@guard = internal global i64 0

; CHECK: @constant = constant i32 3{{$}}
@constant = constant i32 3
; CHECK: @thread = thread_local global i32 0{{$}}
@thread = thread_local global i32 0
; CHECK: @declared = external global i32{{$}}
@declared = external global i32
; CHECK: @copy = available_externally global i32 4{{$}}
@copy = available_externally global i32 4
; CHECK: @__profc_main = private global i64 0, section "__llvm_prf_cnts"{{$}}
@__profc_main = private global i64 0, section "__llvm_prf_cnts"
; CHECK: @llvm.used = appending global [1 x ptr] [ptr @__profc_main], section "llvm.metadata"{{$}}
@llvm.used = appending global [1 x ptr] [ptr @__profc_main], section "llvm.metadata"
; The runtime gets a list of those that are shared.
; CHECK-COUNT-8: = private global { ptr, i64, ptr } { ptr @{{number|hidden|limit|large|page|inline|tentative|guard}}, i64 {{4|800|16384|16385|20000|8}}, ptr @ompdsm.text{{[.0-9]*}} }, section "ompdsm_variables",{{( comdat\(\$inline\),)?}} align 8, !associated
; CHECK-NOT: ompdsm_variables
; What link-time optimisation may still remove is not listed.
; RUN: %opt -passes=ompdsm-prelink -S %s 2>&1 | FileCheck %s --check-prefix=PRELINK
; PRELINK-NOT: ompdsm_variables
; CHECK: attributes #[[SMALL]] = { "bss-section"="ompdsm_bss" "data-section"="ompdsm_data" }
; CHECK: attributes #[[LARGE]] = { "bss-section"="ompdsm_large_bss" "data-section"="ompdsm_large_data" }
