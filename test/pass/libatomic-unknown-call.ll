; A function of libatomic that is not known, or has other types, is an error with its name and place.
; RUN: not %opt -passes=ompdsm -disable-output %s 2>&1 | FileCheck %s

; CHECK: in function flag i1 (ptr): ompdsm: this call of '__atomic_test_and_set' is not supported
define i1 @flag(ptr %p) {
  %r = call i1 @__atomic_test_and_set(ptr %p, i32 5)
  ret i1 %r
}
declare i1 @__atomic_test_and_set(ptr, i32)
