; A check is redundant only if all paths to it have one.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-LABEL: define i32 @dominated(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK-NOT: _miss(
; CHECK: ret i32
define i32 @dominated(ptr %p, i1 %c) {
  %a = load i32, ptr %p
  br i1 %c, label %then, label %else
then:
  %b = load i32, ptr %p
  ret i32 %b
else:
  ret i32 %a
}
; CHECK-LABEL: define i32 @both_branches(
; CHECK: then:
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: else:
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: join:
; CHECK-NOT: _miss(
; CHECK: ret i32
define i32 @both_branches(ptr %p, i1 %c) {
  br i1 %c, label %then, label %else
then:
  %a = load volatile i32, ptr %p
  br label %join
else:
  %b = load volatile i32, ptr %p
  br label %join
join:
  %v = load i32, ptr %p
  ret i32 %v
}
; CHECK-LABEL: define i32 @one_branch(
; CHECK: then:
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: join:
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define i32 @one_branch(ptr %p, i1 %c) {
  br i1 %c, label %then, label %join
then:
  %a = load volatile i32, ptr %p
  br label %join
join:
  %v = load i32, ptr %p
  ret i32 %v
}
; CHECK-LABEL: define void @loop_of_one_object(
; CHECK: @__ompdsm_write_miss(ptr %p, i64 4)
; CHECK: loop:
; CHECK-NOT: _miss(
; CHECK: ret void
define void @loop_of_one_object(ptr %p, i32 %n) {
entry:
  store i32 0, ptr %p
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %v = load i32, ptr %p
  %w = add i32 %v, %i
  store i32 %w, ptr %p
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %loop, label %done
done:
  ret void
}
; A pointer that advances names other bytes in each iteration.
; CHECK-LABEL: define void @loop_of_many_objects(
; CHECK: loop:
; CHECK: @__ompdsm_write_miss(ptr %p, i64 4)
; CHECK: ret void
define void @loop_of_many_objects(ptr %begin, ptr %end) {
entry:
  br label %loop
loop:
  %p = phi ptr [ %begin, %entry ], [ %q, %loop ]
  store i32 0, ptr %p
  %q = getelementptr i32, ptr %p, i64 1
  %c = icmp eq ptr %q, %end
  br i1 %c, label %done, label %loop
done:
  ret void
}
; The check in the loop is the first one on the first iteration, and the call ends its permission.
; CHECK-LABEL: define void @call_in_loop(
; CHECK: loop:
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: ret void
define void @call_in_loop(ptr %p) {
entry:
  %a = load volatile i32, ptr %p
  br label %loop
loop:
  %v = load i32, ptr %p
  call void @unknown()
  %c = icmp eq i32 %v, 0
  br i1 %c, label %loop, label %done
done:
  ret void
}
declare void @unknown()
