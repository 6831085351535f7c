; A check for reading is widened over what may be read later by way of the same pointer, up to a line's length.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s
declare void @synchronises()

; CHECK-LABEL: define i64 @maybe(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 16)
; CHECK-NOT: _miss(
; CHECK: ret i64
define i64 @maybe(ptr align 8 %p) {
  %a = load i64, ptr %p
  %c = icmp eq i64 %a, 0
  br i1 %c, label %next, label %end
next:
  %q = getelementptr i8, ptr %p, i64 8
  %b = load i64, ptr %q
  br label %end
end:
  %s = phi i64 [ %a, %0 ], [ %b, %next ]
  ret i64 %s
}

; A search in a tree: the key at 16 and one of the children at 0 and 8, by one check for each node.
; CHECK-LABEL: define ptr @find(
; CHECK: loop:
; CHECK: @__ompdsm_read_miss(ptr %{{.*}}, i64 24)
; CHECK-NOT: _miss(
; CHECK: ret ptr
define ptr @find(ptr align 8 %root, i64 %key) {
entry:
  br label %loop
loop:
  %node = phi ptr [ %root, %entry ], [ %child, %down ]
  %keyOf = getelementptr i8, ptr %node, i64 16
  %k = load i64, ptr %keyOf, align 8
  %found = icmp eq i64 %k, %key
  br i1 %found, label %end, label %down
down:
  %less = icmp ult i64 %key, %k
  %offset = select i1 %less, i64 0, i64 8
  %childOf = getelementptr i8, ptr %node, i64 %offset
  %child = load ptr, ptr %childOf, align 8
  %none = icmp eq ptr %child, null
  br i1 %none, label %end, label %loop
end:
  %result = phi ptr [ %node, %loop ], [ null, %down ]
  ret ptr %result
}

; A search from place to place: the key in the loop, the count behind it.
; CHECK-LABEL: define i64 @search(
; CHECK: loop:
; CHECK: @__ompdsm_read_miss(ptr %{{.*}}, i64 16)
; CHECK-NOT: _miss(
; CHECK: ret i64
define i64 @search(ptr align 8 %entries, i64 %begin, i64 %key) {
entry:
  br label %loop
loop:
  %place = phi i64 [ %begin, %entry ], [ %next, %loop ]
  %entryOf = getelementptr { i64, i64 }, ptr %entries, i64 %place
  %k = load i64, ptr %entryOf, align 8
  %next = add i64 %place, 1
  %found = icmp eq i64 %k, %key
  br i1 %found, label %end, label %loop
end:
  %last = phi ptr [ %entryOf, %loop ]
  %countOf = getelementptr i8, ptr %last, i64 8
  %count = load i64, ptr %countOf, align 8
  ret i64 %count
}

; A certain read in front of what may end the program.
; CHECK-LABEL: define i64 @ends(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 16)
; CHECK-NOT: _miss(
; CHECK: ret i64
declare void @exits() nosync nounwind
define i64 @ends(ptr align 8 %p) {
  %a = load i64, ptr %p
  call void @exits()
  %q = getelementptr i8, ptr %p, i64 8
  %b = load i64, ptr %q
  %s = add i64 %a, %b
  ret i64 %s
}

; The earlier one is the one in the lines below, too: one check of what lies on both sides.
; CHECK-LABEL: define i64 @between(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 24)
; CHECK-NOT: _miss(
; CHECK: ret i64
define i64 @between(ptr align 8 %p, i1 %c) {
  %q = getelementptr i8, ptr %p, i64 8
  %a = load i64, ptr %q
  br i1 %c, label %left, label %right
left:
  %b = load i64, ptr %p
  ret i64 %b
right:
  %r = getelementptr i8, ptr %p, i64 16
  %d = load i64, ptr %r
  ret i64 %d
}

; Not over a synchronisation point on one of the ways,
; CHECK-LABEL: define i64 @sometimes_after_synchronisation(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 8)
; CHECK: @__ompdsm_read_miss(ptr %q{{[0-9]*}}, i64 8)
define i64 @sometimes_after_synchronisation(ptr align 8 %p, i1 %c) {
  %a = load i64, ptr %p
  br i1 %c, label %wait, label %next
wait:
  call void @synchronises()
  br label %next
next:
  %q = getelementptr i8, ptr %p, i64 8
  %b = load i64, ptr %q
  %s = add i64 %a, %b
  ret i64 %s
}
; nor over one behind the later read, in a loop.
; CHECK-LABEL: define void @each_after_synchronisation(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 8)
; CHECK: loop:
; CHECK: @__ompdsm_read_miss(ptr %q{{[0-9]*}}, i64 8)
define void @each_after_synchronisation(ptr align 8 %p) {
  %a = load i64, ptr %p
  br label %loop
loop:
  %q = getelementptr i8, ptr %p, i64 8
  %b = load i64, ptr %q
  call void @synchronises()
  %c = icmp eq i64 %b, %a
  br i1 %c, label %end, label %loop
end:
  ret void
}

; A write does not become a reader's, nor a check for writing larger.
; CHECK-LABEL: define void @maybe_written(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 8)
; CHECK: @__ompdsm_write_miss(ptr %q{{[0-9]*}}, i64 8)
define void @maybe_written(ptr align 8 %p) {
  %a = load i64, ptr %p
  %c = icmp eq i64 %a, 0
  br i1 %c, label %next, label %end
next:
  %q = getelementptr i8, ptr %p, i64 8
  store i64 1, ptr %q
  br label %end
end:
  ret void
}
; CHECK-LABEL: define i64 @maybe_read_after_writing(
; CHECK: @__ompdsm_write_miss(ptr %p, i64 8)
; CHECK: @__ompdsm_read_miss(ptr %q{{[0-9]*}}, i64 8)
define i64 @maybe_read_after_writing(ptr align 8 %p, i1 %c) {
  store i64 1, ptr %p
  br i1 %c, label %next, label %end
next:
  %q = getelementptr i8, ptr %p, i64 8
  %b = load i64, ptr %q
  ret i64 %b
end:
  ret i64 0
}
; What is written is covered by that, and asks for no more.
; CHECK-LABEL: define i64 @written_first(
; CHECK: @__ompdsm_write_miss(ptr %p, i64 8)
; CHECK-NOT: i64 16)
; CHECK: next:
; CHECK: @__ompdsm_read_miss(ptr %q{{[0-9]*}}, i64 8)
define i64 @written_first(ptr align 8 %p, i64 %n) {
  store i64 %n, ptr %p
  call void @exits()
  %a = load i64, ptr %p
  %c = icmp eq i64 %a, 0
  br i1 %c, label %next, label %end
next:
  %q = getelementptr i8, ptr %p, i64 8
  %b = load i64, ptr %q
  ret i64 %b
end:
  ret i64 0
}

; Neither of two branches precedes the other.
; CHECK-LABEL: define i64 @branches(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 8)
; CHECK: @__ompdsm_read_miss(ptr %q{{[0-9]*}}, i64 8)
define i64 @branches(ptr align 8 %p, i1 %c) {
  br i1 %c, label %left, label %right
left:
  %a = load i64, ptr %p
  ret i64 %a
right:
  %q = getelementptr i8, ptr %p, i64 8
  %b = load i64, ptr %q
  ret i64 %b
}

; Farther away than a line's length.
; CHECK-LABEL: define i64 @far(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 8)
; CHECK: @__ompdsm_read_miss(ptr %q{{[0-9]*}}, i64 8)
define i64 @far(ptr align 8 %p, i1 %c) {
  %a = load i64, ptr %p
  br i1 %c, label %next, label %end
next:
  %q = getelementptr i8, ptr %p, i64 57
  %b = load i64, ptr %q, align 1
  ret i64 %b
end:
  ret i64 0
}
; An index that may be large,
; CHECK-LABEL: define i64 @any_element(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 8)
; CHECK: @__ompdsm_read_miss(ptr %q{{[0-9]*}}, i64 8)
define i64 @any_element(ptr align 8 %p, i64 %i) {
  %a = load i64, ptr %p
  %c = icmp eq i64 %a, 0
  br i1 %c, label %next, label %end
next:
  %q = getelementptr i64, ptr %p, i64 %i
  %b = load i64, ptr %q
  ret i64 %b
end:
  ret i64 0
}
; or negative, here -2 and 1.
; CHECK-LABEL: define i64 @around(
; CHECK: %[[BEGIN:.*]] = getelementptr i8, ptr %p, i64 -16
; CHECK: @__ompdsm_read_miss(ptr %[[BEGIN]], i64 32)
; CHECK-NOT: _miss(
; CHECK: ret i64
define i64 @around(ptr align 8 %p, i1 %i) {
  %a = load i64, ptr %p
  %c = icmp eq i64 %a, 0
  br i1 %c, label %next, label %end
next:
  %index = select i1 %i, i64 1, i64 -2
  %q = getelementptr i64, ptr %p, i64 %index
  %b = load i64, ptr %q
  ret i64 %b
end:
  ret i64 0
}
; One of several elements was checked, not all of them.
; CHECK-LABEL: define i64 @one_of_two(
; CHECK: @__ompdsm_read_miss(ptr %q{{[0-9]*}}, i64 8)
; CHECK: next:
; CHECK: @__ompdsm_read_miss(ptr %p, i64 8)
; CHECK: @__ompdsm_read_miss(ptr %r{{[0-9]*}}, i64 8)
define i64 @one_of_two(ptr align 8 %p, i1 %i, i1 %k, i1 %c) {
  %iWide = zext i1 %i to i64
  %q = getelementptr i64, ptr %p, i64 %iWide
  %a = load i64, ptr %q
  br i1 %c, label %next, label %end
next:
  %b = load i64, ptr %p
  call void @synchronises()
  %kWide = zext i1 %k to i64
  %r = getelementptr i64, ptr %p, i64 %kWide
  %d = load i64, ptr %r
  %s = add i64 %b, %d
  ret i64 %s
end:
  ret i64 %a
}
