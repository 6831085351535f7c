// RUN: %clang -fopenmp -O2 -fplugin=%plugin -S -emit-llvm %s -o - 2>%t.err | FileCheck %s
// RUN: FileCheck --check-prefix=WARNING --input-file=%t.err %s
// Inline assembly that is one atomic instruction is the atomic operation on all nodes; of others there is a warning.
// WARNING-COUNT-6: inline assembly that may access memory is not instrumented
// WARNING-NOT: inline assembly that may access memory is not instrumented

// CHECK-LABEL: define {{.*}}void @updates(
// CHECK-NOT: asm
// CHECK: call {{.*}}@__ompdsm_atomic_rmw(ptr %[[P:[0-9]+]], i64 1, i32 1, i32 4, i32 5)
// CHECK: call {{.*}}@__ompdsm_atomic_rmw(ptr %[[P]], i64 1, i32 2, i32 4, i32 5)
// CHECK: call {{.*}}@__ompdsm_atomic_rmw(ptr %[[P]], i64 {{%.*}}, i32 1, i32 4, i32 5)
// CHECK: call {{.*}}@__ompdsm_atomic_rmw(ptr %[[P]], i64 1024, i32 5, i32 4, i32 5)
// CHECK: call {{.*}}@__ompdsm_atomic_rmw(ptr {{%.*}}, i64 {{.*}}, i32 3, i32 8, i32 5)
// CHECK: ret void
void updates(volatile int *p, int by, long *q) {
  __asm__ __volatile__("lock incl %0" : "+m"(*p) : : "memory");
  __asm__ __volatile__("lock; decl %0" : : "m"(*p) : "memory");
  __asm__ __volatile__("lock\n\taddl %1, %0" : "+m"(*p) : "r"(by) : "cc");
  __asm__("lock ; orl $0x400,%0" : "+m"(*p) : : "cc", "memory");
  __asm__ __volatile__("lock; andq %1,%0\n" : "=m"(*q) : "r"(7L), "m"(*q));
}
// CHECK-LABEL: define {{.*}}@exchanges(
// CHECK-NOT: asm
// CHECK: call i64 @__ompdsm_atomic_rmw(ptr {{%.*}}, i64 1, i32 0, i32 8, i32 5)
// CHECK: call i64 @__ompdsm_atomic_rmw(ptr {{%.*}}, i64 3, i32 1, i32 4, i32 5)
// CHECK: call i64 @__ompdsm_atomic_cmpxchg(ptr {{%.*}}, i64 1, i64 2, i32 1, i32 5)
// CHECK: ret
long exchanges(unsigned long *lock, int *count, unsigned char *state) {
  unsigned long was;
  __asm__ __volatile__("xchgq %0, %1\n" : "=r"(was), "=m"(*lock) : "0"(1UL), "m"(*lock) : "memory");
  int old = 3;
  __asm__ __volatile__("lock; xaddl %0, %1" : "+r"(old), "+m"(*count) : : "memory", "cc");
  unsigned char found;
  __asm__ __volatile__("lock; cmpxchgb %2,%1"
                       : "=a"(found), "+m"(*state)
                       : "r"((unsigned char)2), "0"((unsigned char)1)
                       : "memory");
  return (long)was + old + found;
}
// CHECK-LABEL: define {{.*}}@fences(
// CHECK-NOT: asm
// CHECK: call void @__ompdsm_fence(i32 5)
// CHECK: call void @__ompdsm_fence(i32 3)
// CHECK: call void @__ompdsm_fence(i32 2)
// CHECK: call void @__ompdsm_fence(i32 5)
// CHECK: ret
void fences(volatile int *p) {
  __asm__ __volatile__("mfence" ::: "memory");
  *p = 1;
  __asm__ __volatile__("sfence" ::: "memory");
  *p = 2;
  __asm__ __volatile__("lfence" ::: "memory");
  *p = 3;
  __asm__ __volatile__("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
}
// CHECK-LABEL: define {{.*}}@others(
// CHECK-COUNT-5: asm
// CHECK: ret
int others(int *p, long *q) {
  unsigned char zero;
  int value;
  __asm__ __volatile__("incl %0" : "+m"(*p));                               // Not locked.
  __asm__ __volatile__("lock; decl %0; sete %1" : "+m"(*p), "=qm"(zero));   // Two instructions.
  __asm__ __volatile__("lock; incl %0" : "+m"(*p), "=@ccz"(zero));          // Flags.
  __asm__ __volatile__("movl %1, %0" : "=r"(value) : "m"(*p));              // Not atomic.
  __asm__ __volatile__("lock; btsq %1, %0" : "+m"(*q) : "Ir"(3L) : "cc");   // Another operation.
  return zero + value;
}
// What stays as it is has no atomic operation beside it.
// CHECK-LABEL: define {{.*}}@flags(
// CHECK-NOT: __ompdsm_atomic
// CHECK: asm
// CHECK-NOT: __ompdsm_atomic
// CHECK: ret
int flags(int *p) {
  unsigned char negative;
  __asm__ __volatile__("lock; decl %0" : "+m"(*p), "=@ccs"(negative));
  return negative;
}
