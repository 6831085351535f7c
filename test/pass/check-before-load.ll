; A load is preceded by the test of bit 0 of its line's state, and by nothing else.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-LABEL: define i32 @read(
; CHECK-NEXT: %[[A:.*]] = ptrtoint ptr %p to i64
; CHECK-NEXT: %[[L:.*]] = lshr i64 %[[A]], 6
; CHECK-NEXT: %[[E:.*]] = add i64 %[[L]], 2147450880
; CHECK-NEXT: %[[P:.*]] = inttoptr i64 %[[E]] to ptr
; CHECK-NEXT: %[[S:.*]] = load volatile i8, ptr %[[P]]
; CHECK-NEXT: %[[B:.*]] = and i8 %[[S]], 1
; CHECK-NEXT: %[[M:.*]] = icmp ne i8 %[[B]], 0
; CHECK-NEXT: br i1 %[[M]], label %[[SLOW:.*]], label %[[FAST:.*]], !prof ![[COLD:[0-9]+]]
; CHECK: [[SLOW]]:
; CHECK-NEXT: call preserve_mostcc void @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK-NEXT: br label %[[FAST]]
; CHECK: [[FAST]]:
; CHECK-NEXT: load i32, ptr %p
; CHECK-NEXT: ret i32
; The image has it: no way through the procedure linkage table, no address in a register.
; CHECK: declare hidden preserve_mostcc void @__ompdsm_read_miss(ptr, i64) #[[ATTRIBUTES:[0-9]+]]
; CHECK: attributes #[[ATTRIBUTES]] = { cold {{.*}}nounwind
; CHECK: ![[COLD]] = !{!"branch_weights", i32 1, i32 1048576}
define i32 @read(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
