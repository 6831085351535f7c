; Calls of libatomic, generic and sized, become runtime calls.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s


; CHECK-LABEL: define i1 @generic(
; CHECK-NEXT: call void @__ompdsm_atomic_load_sized(i64 24, ptr %p, ptr %q, i32 5)
; CHECK-NEXT: call void @__ompdsm_atomic_store_sized(i64 24, ptr %p, ptr %q, i32 5)
; CHECK-NEXT: call void @__ompdsm_atomic_exchange_sized(i64 24, ptr %p, ptr %q, ptr %r, i32 5)
; CHECK-NEXT: %[[R:.*]] = call i32 @__ompdsm_atomic_cmpxchg_sized(i64 24, ptr %p, ptr %q, ptr %r, i32 5, i32 2)
; CHECK-NEXT: trunc i32 %[[R]] to i1
define i1 @generic(ptr %p, ptr %q, ptr %r) {
  call void @__atomic_load(i64 24, ptr %p, ptr %q, i32 5)
  call void @__atomic_store(i64 24, ptr %p, ptr %q, i32 5)
  call void @__atomic_exchange(i64 24, ptr %p, ptr %q, ptr %r, i32 5)
  %s = call zeroext i1 @__atomic_compare_exchange(i64 24, ptr %p, ptr %q, ptr %r, i32 5, i32 2)
  ret i1 %s
}
; CHECK-LABEL: define i64 @sized(
; CHECK: call i64 @__ompdsm_atomic_load(ptr %p, i32 8, i32 2)
; CHECK: call void @__ompdsm_atomic_store(ptr %p, i64 %{{.*}}, i32 8, i32 3)
; CHECK: call i64 @__ompdsm_atomic_rmw(ptr %p, i64 %{{.*}}, i32 0, i32 8, i32 5)
; CHECK: %[[O:.*]] = call i64 @__ompdsm_atomic_rmw(ptr %p, i64 %{{.*}}, i32 1, i32 8, i32 5)
; CHECK: add i64
; CHECK: call i64 @__ompdsm_atomic_rmw(ptr %p, i64 %{{.*}}, i32 4, i32 8, i32 5)
define i64 @sized(ptr %p, i64 %v) {
  %a = call i64 @__atomic_load_8(ptr %p, i32 2)
  call void @__atomic_store_8(ptr %p, i64 %v, i32 3)
  %b = call i64 @__atomic_exchange_8(ptr %p, i64 %v, i32 5)
  %c = call i64 @__atomic_add_fetch_8(ptr %p, i64 %v, i32 5)
  %d = call i64 @__atomic_fetch_nand_8(ptr %p, i64 %v, i32 5)
  ret i64 %c
}
; The expected value is read and written by ordinary accesses.
; CHECK-LABEL: define i1 @compare(
; CHECK: @__ompdsm_write_miss(ptr %e, i64 4)
; CHECK: call i64 @__ompdsm_atomic_cmpxchg(ptr %p, {{.*}}, i32 4, i32 5)
; CHECK: @__ompdsm_write_miss(ptr %e, i64 4)
define i1 @compare(ptr %p, ptr %e, i32 %n) {
  %r = load i32, ptr %e
  store i32 %r, ptr %e
  %s = call zeroext i1 @__atomic_compare_exchange_4(ptr %p, ptr %e, i32 %n, i32 5, i32 0)
  ret i1 %s
}
; CHECK-LABEL: define i1 @question(
; CHECK: call i1 @__atomic_is_lock_free
define i1 @question(ptr %p) {
  %r = call i1 @__atomic_is_lock_free(i64 8, ptr %p)
  ret i1 %r
}
declare void @__atomic_load(i64, ptr, ptr, i32)
declare void @__atomic_store(i64, ptr, ptr, i32)
declare void @__atomic_exchange(i64, ptr, ptr, ptr, i32)
declare i1 @__atomic_compare_exchange(i64, ptr, ptr, ptr, i32, i32)
declare i64 @__atomic_load_8(ptr, i32)
declare void @__atomic_store_8(ptr, i64, i32)
declare i64 @__atomic_exchange_8(ptr, i64, i32)
declare i64 @__atomic_add_fetch_8(ptr, i64, i32)
declare i64 @__atomic_fetch_nand_8(ptr, i64, i32)
declare i1 @__atomic_compare_exchange_4(ptr, ptr, i32, i32, i32)
declare i1 @__atomic_is_lock_free(i64, ptr)
