; Mutexes and their companions go to the runtime's twins, unless the module defines the function; they
; are synchronisation points.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK-LABEL: define i32 @guarded(
; CHECK: call i32 @__ompdsm_pthread_mutex_lock(ptr %m)
; CHECK: %[[STATE:.*]] = load volatile i8
; CHECK: call i32 @__ompdsm_pthread_mutex_unlock(ptr %m)
; CHECK: load volatile i8
; CHECK: call i32 @__ompdsm_pthread_once(ptr %m, ptr @routine)
; CHECK: call i32 @pthread_cond_wait(ptr %m, ptr %m)
; CHECK: call i32 @pthread_spin_lock(ptr %m)
define i32 @guarded(ptr %m, ptr %p) {
  %a = call i32 @pthread_mutex_lock(ptr %m)
  %v = load i32, ptr %p
  %b = call i32 @pthread_mutex_unlock(ptr %m)
  %w = load i32, ptr %p
  %c = call i32 @pthread_once(ptr %m, ptr @routine)
  %d = call i32 @pthread_cond_wait(ptr %m, ptr %m)
  %e = call i32 @pthread_spin_lock(ptr %m)
  %r = add i32 %v, %w
  ret i32 %r
}
define i32 @pthread_spin_lock(ptr %own) {
  ret i32 0
}
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare i32 @pthread_once(ptr, ptr)
declare i32 @pthread_cond_wait(ptr, ptr)
declare void @routine()
