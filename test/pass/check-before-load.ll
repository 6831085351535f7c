; A load is preceded by the test of bit 0 of its group's byte, and by nothing else; only where that is
; set, by the test of its line's.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-LABEL: define i32 @read(
; CHECK-NEXT: %[[A1:.*]] = ptrtoint ptr %p to i64
; CHECK-NEXT: %[[L1:.*]] = lshr i64 %[[A1]], 11
; CHECK-NEXT: %[[E1:.*]] = add i64 %[[L1]], 2147454976
; CHECK-NEXT: %[[P1:.*]] = inttoptr i64 %[[E1]] to ptr
; CHECK-NEXT: %[[S1:.*]] = load volatile i8, ptr %[[P1]]
; CHECK-NEXT: %[[B1:.*]] = and i8 %[[S1]], 1
; CHECK-NEXT: %[[M1:.*]] = icmp ne i8 %[[B1]], 0
; CHECK-NEXT: br i1 %[[M1]], label %[[LINE:.*]], label %[[FAST:.*]], !prof ![[COLD:[0-9]+]]
; CHECK: [[LINE]]:
; CHECK-NEXT: %[[A2:.*]] = ptrtoint ptr %p to i64
; CHECK-NEXT: %[[L2:.*]] = lshr i64 %[[A2]], 6
; CHECK-NEXT: %[[E2:.*]] = add i64 %[[L2]], 2147450880
; CHECK-NEXT: %[[P2:.*]] = inttoptr i64 %[[E2]] to ptr
; CHECK-NEXT: %[[S2:.*]] = load volatile i8, ptr %[[P2]]
; CHECK-NEXT: %[[B2:.*]] = and i8 %[[S2]], 1
; CHECK-NEXT: %[[M2:.*]] = icmp ne i8 %[[B2]], 0
; CHECK-NEXT: br i1 %[[M2]], label %[[SLOW:.*]], label %[[BACK:.*]], !prof ![[COLD]]
; CHECK: [[SLOW]]:
; CHECK-NEXT: call preserve_mostcc void @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK-NEXT: br label %[[BACK]]
; CHECK: [[BACK]]:
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
