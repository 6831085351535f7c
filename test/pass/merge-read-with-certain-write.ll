; A read that a write of the same bytes is certain to follow in its block asks for permission to write, once.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-LABEL: define void @increment(
; CHECK: @__ompdsm_write_miss(ptr %p, i64 4)
; CHECK-NOT: _miss(
; CHECK: ret void
define void @increment(ptr %p) {
  %a = load i32, ptr %p
  %b = add i32 %a, 1
  store i32 %b, ptr %p
  ret void
}
; Asked for where the program only reads, it would make the node a writer.
; CHECK-LABEL: define void @perhaps(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: then:
; CHECK: @__ompdsm_write_miss(ptr %p, i64 4)
define void @perhaps(ptr %p) {
  %a = load i32, ptr %p
  %c = icmp eq i32 %a, 0
  br i1 %c, label %then, label %done
then:
  store i32 1, ptr %p
  br label %done
done:
  ret void
}
; CHECK-LABEL: define void @synchronised_between(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: fence
; CHECK: @__ompdsm_write_miss(ptr %p, i64 4)
define void @synchronised_between(ptr %p) {
  %a = load i32, ptr %p
  fence seq_cst
  store i32 %a, ptr %p
  ret void
}
; A call that may not return.
; CHECK-LABEL: define void @not_reached(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: call void @perhaps_exits
; CHECK: @__ompdsm_write_miss(ptr %p, i64 4)
define void @not_reached(ptr %p) {
  %a = load i32, ptr %p
  call void @perhaps_exits()
  store i32 %a, ptr %p
  ret void
}
; CHECK-LABEL: define void @larger_write(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
; CHECK: @__ompdsm_write_miss(ptr %p, i64 8)
define void @larger_write(ptr %p) {
  %a = load i32, ptr %p
  store i64 1, ptr %p
  ret void
}
declare void @perhaps_exits() nosync
