; opt loads the plugin, and runs it in its pipelines and by name.
; RUN: %opt -O0 -S %s | FileCheck %s
; RUN: %opt -O3 -S %s | FileCheck %s
; RUN: %opt -passes='default<O2>' -S %s | FileCheck %s
; RUN: %opt -passes='thinlto-pre-link<O2>' -S %s | FileCheck %s
; RUN: %opt -passes='lto<O2>' -S %s | FileCheck %s
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s
; CHECK-LABEL: define i32 @read(
; CHECK: call preserve_mostcc void @__ompdsm_read_miss
; CHECK-NOT: call {{.*}}_miss
; CHECK: ret i32
define i32 @read(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
