; Threads look for other nodes at the end of each iteration of loops that have inner loops or calls, and where a function
; calls itself; not in innermost loops.
; RUN: env OMPDSM_PASS_OPTIONS= %opt -passes=ompdsm -S %s | FileCheck %s
; RUN: env OMPDSM_PASS_OPTIONS=no-polls %opt -passes=ompdsm -S %s | FileCheck %s --check-prefix=WITHOUT
; WITHOUT-NOT: @__ompdsm_attend

; CHECK-LABEL: define void @nest(
; CHECK: inner:
; CHECK-NOT: attend
; CHECK: br i1 %more.inner, label %inner, label %latch
; CHECK: latch:
; CHECK: [[FLAG:%.*]] = load volatile i8, ptr inttoptr (i64 2147451392 to ptr)
; CHECK-NEXT: [[WANTED:%.*]] = icmp ne i8 [[FLAG]], 0
; CHECK-NEXT: br i1 [[WANTED]], label %[[ATTEND:.*]], label %[[ON:.*]], !prof
; CHECK: [[ATTEND]]:
; CHECK-NEXT: call preserve_mostcc void @__ompdsm_attend()
; CHECK-NEXT: br label %[[ON]]
; CHECK: [[ON]]:
; CHECK-NEXT: br i1 %more, label %outer, label %done
; CHECK: done:
; CHECK-NOT: attend
; CHECK: ret void
define void @nest(i64 %n) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %inner
inner:
  %k = phi i64 [ 0, %outer ], [ %k.next, %inner ]
  %k.next = add i64 %k, 1
  %more.inner = icmp ult i64 %k.next, %n
  br i1 %more.inner, label %inner, label %latch
latch:
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %outer, label %done
done:
  ret void
}

; CHECK-LABEL: define void @single(
; CHECK-NOT: attend
; CHECK: ret void
define void @single(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add i64 %i, 1
  call void @llvm.sideeffect()
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; In each iteration something is looked for, which is mostly soon found; or sometimes something long is done. The loop around
; them looks.
; CHECK-LABEL: define void @short(
; CHECK: search:
; CHECK-NOT: attend
; CHECK: latch:
; CHECK-NOT: attend
; CHECK: br i1 %more, label %middle, label %end
; CHECK: end:
; CHECK: load volatile i8, ptr inttoptr (i64 2147451392 to ptr)
; CHECK: br i1 %last, label %outer, label %done
; CHECK: ret void
define void @short(i64 %n, ptr %p) {
entry:
  br label %outer
outer:
  %o = phi i64 [ 0, %entry ], [ %o.next, %end ]
  br label %middle
middle:
  %i = phi i64 [ 0, %outer ], [ %i.next, %latch ]
  br label %search
search:
  %k = phi i64 [ %i, %middle ], [ %k.next, %search ]
  %k.next = add i64 %k, 1
  %found = call i1 @llvm.is.constant.i64(i64 %k.next)
  br i1 %found, label %rarely, label %search
rarely:
  %odd = trunc i64 %i to i1
  br i1 %odd, label %long, label %latch
long:
  %l = phi i64 [ 0, %rarely ], [ %l.next, %long ]
  %l.next = add i64 %l, 1
  %again = icmp ult i64 %l.next, %n
  br i1 %again, label %long, label %latch
latch:
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %middle, label %end
end:
  %o.next = add i64 %o, 1
  %last = icmp ult i64 %o.next, %n
  br i1 %last, label %outer, label %done
done:
  ret void
}
declare i1 @llvm.is.constant.i64(i64)

; Each step of what is looked for has a loop of its own, as a walk through a tree has: that takes long.
; CHECK-LABEL: define void @walk(
; CHECK: step:
; CHECK-NOT: attend
; CHECK: latch:
; CHECK: load volatile i8, ptr inttoptr (i64 2147451392 to ptr)
; CHECK: br i1 %more, label %middle, label %end
; CHECK: ret void
define void @walk(i64 %n, ptr %p) {
entry:
  br label %outer
outer:
  %o = phi i64 [ 0, %entry ], [ %o.next, %end ]
  br label %middle
middle:
  %i = phi i64 [ 0, %outer ], [ %i.next, %latch ]
  br label %step
step:
  %cell = phi i64 [ %i, %middle ], [ %cell.next, %walk.latch ]
  br label %leaf
leaf:
  %k = phi i64 [ 0, %step ], [ %k.next, %leaf.latch ]
  %k.next = add i64 %k, 1
  br label %leaf.latch
leaf.latch:
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %leaf, label %walk.latch
walk.latch:
  %cell.next = call i64 @llvm.bswap.i64(i64 %cell)
  %found = call i1 @llvm.is.constant.i64(i64 %cell.next)
  br i1 %found, label %latch, label %step
latch:
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %middle, label %end
end:
  %o.next = add i64 %o, 1
  %last = icmp ult i64 %o.next, %n
  br i1 %last, label %outer, label %done
done:
  ret void
}
declare i64 @llvm.bswap.i64(i64)

; Its callee may take long, and have no loop that could be seen here.
; CHECK-LABEL: define void @calls(
; CHECK: call void @work(
; CHECK: load volatile i8, ptr inttoptr (i64 2147451392 to ptr)
; CHECK: ret void
define void @calls(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  call void @work(i64 %i)
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: define i64 @recursive(
; CHECK-NEXT: load volatile i8, ptr inttoptr (i64 2147451392 to ptr)
; CHECK: call i64 @recursive(
; CHECK-NOT: attend
; CHECK: ret i64
define i64 @recursive(i64 %n) {
  %end = icmp eq i64 %n, 0
  br i1 %end, label %done, label %further
further:
  %less = sub i64 %n, 1
  %rest = call i64 @recursive(i64 %less)
  br label %done
done:
  %result = phi i64 [ 0, %0 ], [ %rest, %further ]
  ret i64 %result
}

; Nobody could look there any more: it is said to touch no memory.
; CHECK: define i64 @pure(i64 %n) [[ATTRIBUTES:#[0-9]+]]
; CHECK-NOT: attributes [[ATTRIBUTES]] = {{.*}}memory(none)
define i64 @pure(i64 %n) memory(none) {
  %end = icmp eq i64 %n, 0
  br i1 %end, label %done, label %further
further:
  %less = sub i64 %n, 1
  %rest = call i64 @pure(i64 %less)
  br label %done
done:
  %result = phi i64 [ 0, %0 ], [ %rest, %further ]
  ret i64 %result
}

declare void @work(i64)
declare void @llvm.sideeffect()
