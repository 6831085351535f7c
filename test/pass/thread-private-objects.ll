; Stack objects that functions of the module hand to each other, also by pointers in other such objects, need no check where
; no other thread can reach them.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s
%state = type { ptr, i32, ptr, ptr }
@global = global ptr null

; A search: its state is on the caller's stack, and names another object of that stack. What it calls gets another field.
; CHECK-LABEL: define internal void @search(
; CHECK-NOT: miss
; CHECK: call void %poll(ptr %context)
; CHECK-NOT: miss
; CHECK: ret void
define internal void @search(ptr %s, i32 %depth) {
  %cities = load ptr, ptr %s
  %at = getelementptr i32, ptr %cities, i32 %depth
  %v = load i32, ptr %at
  %best = getelementptr i8, ptr %s, i64 8
  store i32 %v, ptr %best
  %where = getelementptr i8, ptr %s, i64 16
  %poll = load ptr, ptr %where
  %what = getelementptr i8, ptr %s, i64 24
  %context = load ptr, ptr %what
  call void %poll(ptr %context)
  %end = icmp eq i32 %depth, 0
  br i1 %end, label %done, label %further
further:
  %less = sub i32 %depth, 1
  call void @search(ptr %s, i32 %less)
  br label %done
done:
  ret void
}
; CHECK-LABEL: define void @begin(
; CHECK-NOT: miss
; CHECK: ret void
define void @begin() {
  %s = alloca %state
  %cities = alloca [20 x i32]
  store ptr %cities, ptr %s
  %rest = getelementptr i8, ptr %s, i64 8
  call void @llvm.memset.p0.i64(ptr %rest, i8 0, i64 24, i1 false)
  call void @search(ptr %s, i32 4)
  %best = load i32, ptr %rest
  store i32 %best, ptr %cities
  ret void
}

; What is walked through by a pointer that moves on is the same object.
; CHECK-LABEL: define internal i32 @sum(
; CHECK-NOT: miss
; CHECK: ret i32
define internal i32 @sum(ptr %p) {
entry:
  br label %loop
loop:
  %at = phi ptr [ %p, %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %more, %loop ]
  %all = phi i32 [ 0, %entry ], [ %sum, %loop ]
  %v = load i32, ptr %at
  %sum = add i32 %all, %v
  %next = getelementptr i32, ptr %at, i64 1
  %more = add i32 %i, 1
  %again = icmp ult i32 %more, 20
  br i1 %again, label %loop, label %done
done:
  ret i32 %sum
}
define i32 @sums() {
  %a = alloca [20 x i32]
  %s = call i32 @sum(ptr %a)
  ret i32 %s
}

; One of the callers has something else.
; CHECK-LABEL: define internal i32 @twoCallers(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define internal i32 @twoCallers(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @callsBoth(ptr %unknown) {
  %a = alloca i32
  %v = call i32 @twoCallers(ptr %a)
  %w = call i32 @twoCallers(ptr %unknown)
  %sum = add i32 %v, %w
  ret i32 %sum
}

; Whoever has its address may call it.
; CHECK-LABEL: define internal i32 @addressTaken(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define internal i32 @addressTaken(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @takesAddress() {
  %a = alloca i32
  store ptr @addressTaken, ptr @global
  %v = call i32 @addressTaken(ptr %a)
  ret i32 %v
}

; CHECK-LABEL: define i32 @visible(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define i32 @visible(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @callsVisible() {
  %a = alloca i32
  %v = call i32 @visible(ptr %a)
  ret i32 %v
}

; It leaves its thread by way of a variable that others see, in a callee.
; CHECK-LABEL: define internal i32 @publishes(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define internal i32 @publishes(ptr %p) {
  store ptr %p, ptr @global
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @published() {
  %a = alloca i32
  %v = call i32 @publishes(ptr %a)
  ret i32 %v
}

; The object that holds the pointer leaves, and so does what it names.
; CHECK-LABEL: define internal i32 @namedByPublished(
; CHECK: @__ompdsm_read_miss(ptr %s, i64 8)
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define internal i32 @namedByPublished(ptr %s) {
  %p = load ptr, ptr %s
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @publishesHolder() {
  %s = alloca ptr
  %a = alloca i32
  store ptr %a, ptr %s
  store ptr %s, ptr @global
  %v = call i32 @namedByPublished(ptr %s)
  ret i32 %v
}

; What the field holds may be something else.
; CHECK-LABEL: define internal i32 @mixedField(
; CHECK-NOT: @__ompdsm_read_miss(ptr %s
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define internal i32 @mixedField(ptr %s) {
  %p = load ptr, ptr %s
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @mixes(i1 %which, ptr %unknown) {
  %s = alloca ptr
  %a = alloca i32
  store ptr %a, ptr %s
  br i1 %which, label %other, label %on
other:
  store ptr %unknown, ptr %s
  br label %on
on:
  %v = call i32 @mixedField(ptr %s)
  ret i32 %v
}

; A part of the field is written as something else.
; CHECK-LABEL: define internal i32 @partOfField(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define internal i32 @partOfField(ptr %s) {
  %p = load ptr, ptr %s
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @writesPart(i32 %bits) {
  %s = alloca ptr
  %a = alloca i32
  store ptr %a, ptr %s
  %half = getelementptr i8, ptr %s, i64 4
  store i32 %bits, ptr %half
  %v = call i32 @partOfField(ptr %s)
  ret i32 %v
}

; Its address is copied as a number.
; CHECK-LABEL: define internal i32 @readAsNumber(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define internal i32 @readAsNumber(ptr %s) {
  %p = load ptr, ptr %s
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @copiesNumber(ptr %unknown) {
  %s = alloca ptr
  %a = alloca i32
  store ptr %a, ptr %s
  %number = load i64, ptr %s
  store i64 %number, ptr %unknown
  %v = call i32 @readAsNumber(ptr %s)
  ret i32 %v
}

; The same by memcpy.
; CHECK-LABEL: define internal i32 @copied(
; CHECK-NOT: @__ompdsm_read_miss(ptr %s
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define internal i32 @copied(ptr %s) {
  %p = load ptr, ptr %s
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @copies(ptr %unknown) {
  %s = alloca ptr
  %a = alloca i32
  store ptr %a, ptr %s
  call void @llvm.memcpy.p0.p0.i64(ptr %unknown, ptr %s, i64 8, i1 false)
  %v = call i32 @copied(ptr %s)
  ret i32 %v
}

; A callee outside of the module keeps no pointer to the object, but may keep what it finds there, and put something there.
; CHECK-LABEL: define internal i32 @lent(
; CHECK-NOT: @__ompdsm_read_miss(ptr %s
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define internal i32 @lent(ptr %s) {
  %p = load ptr, ptr %s
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @lends() {
  %s = alloca ptr
  %a = alloca i32
  store ptr %a, ptr %s
  call void @borrow(ptr %s)
  %v = call i32 @lent(ptr %s)
  ret i32 %v
}

; CHECK-LABEL: define internal i32 @asNumber(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define internal i32 @asNumber(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @computes(ptr %unknown) {
  %a = alloca i32
  %number = ptrtoint ptr %a to i64
  store i64 %number, ptr %unknown
  %v = call i32 @asNumber(ptr %a)
  ret i32 %v
}

; It returns to where nobody follows it.
; CHECK-LABEL: define internal ptr @returned(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define internal ptr @returned(ptr %p) {
  %v = load i32, ptr %p
  ret ptr %p
}
define void @returns() {
  %a = alloca i32
  %p = call ptr @returned(ptr %a)
  store ptr %p, ptr @global
  ret void
}

; Other threads execute the function.
; CHECK-LABEL: define internal void @region(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define internal void @region(ptr %gtid, ptr %btid, ptr %p) {
  %v = load i32, ptr %p
  ret void
}
define void @forks(ptr %loc) {
  %a = alloca i32
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr %loc, i32 1, ptr @region, ptr %a)
  call void @region(ptr %a, ptr %a, ptr %a)
  ret void
}

; Either, of which one is not followed.
; CHECK-LABEL: define internal i32 @either(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define internal i32 @either(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @chooses(i1 %which, ptr %unknown) {
  %a = alloca i32
  %p = select i1 %which, ptr %a, ptr %unknown
  %v = call i32 @either(ptr %p)
  ret i32 %v
}

; Stored through a pointer that may point elsewhere, too.
; CHECK-LABEL: define internal i32 @storedThroughEither(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define internal i32 @storedThroughEither(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @storesThroughEither(i1 %which, ptr %unknown) {
  %s = alloca ptr
  %a = alloca i32
  %to = select i1 %which, ptr %s, ptr %unknown
  store ptr %a, ptr %to
  %v = call i32 @storedThroughEither(ptr %a)
  ret i32 %v
}

; It points to more objects than are followed, one of which is known to others.
; CHECK-LABEL: define internal i32 @oneOfMany(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define internal i32 @oneOfMany(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
define void @many() {
  %a = alloca i32
  %b = alloca i32
  %c = alloca i32
  %d = alloca i32
  %e = alloca i32
  %f = alloca i32
  %g = alloca i32
  %h = alloca i32
  %i = alloca i32
  store ptr %a, ptr @global
  store ptr %i, ptr @global
  call i32 @oneOfMany(ptr %i)
  call i32 @oneOfMany(ptr %b)
  call i32 @oneOfMany(ptr %c)
  call i32 @oneOfMany(ptr %d)
  call i32 @oneOfMany(ptr %e)
  call i32 @oneOfMany(ptr %f)
  call i32 @oneOfMany(ptr %g)
  call i32 @oneOfMany(ptr %h)
  call i32 @oneOfMany(ptr %a)
  ret void
}
; Of these none is, but that is not known.
; CHECK-LABEL: define internal i32 @oneOfManyOthers(
; CHECK: @__ompdsm_read_miss(ptr %p, i64 4)
define internal i32 @oneOfManyOthers(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
define void @manyOthers() {
  %b = alloca i32
  %c = alloca i32
  %d = alloca i32
  %e = alloca i32
  %f = alloca i32
  %g = alloca i32
  %h = alloca i32
  %i = alloca i32
  %k = alloca i32
  call i32 @oneOfManyOthers(ptr %i)
  call i32 @oneOfManyOthers(ptr %b)
  call i32 @oneOfManyOthers(ptr %c)
  call i32 @oneOfManyOthers(ptr %d)
  call i32 @oneOfManyOthers(ptr %e)
  call i32 @oneOfManyOthers(ptr %f)
  call i32 @oneOfManyOthers(ptr %g)
  call i32 @oneOfManyOthers(ptr %h)
  call i32 @oneOfManyOthers(ptr %k)
  ret void
}

declare void @borrow(ptr captures(none))
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare !callback !0 void @__kmpc_fork_call(ptr, i32, ptr, ...)
!0 = !{!1}
!1 = !{i64 2, i64 -1, i64 -1, i1 true}
