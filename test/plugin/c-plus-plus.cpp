// C++: virtual functions, inline variables, guards, exceptions, new and delete.
// RUN: %clangxx -O0 -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clangxx -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// CHECK-DAG: @shared = linkonce_odr {{.*}}global i32 7, comdat, align 16 #[[SECTION:[0-9]+]]
// CHECK-DAG: @_ZGVZ4oncevE1s = internal global i64 0, align 16 #[[SECTION]]
// CHECK-DAG: @_ZTV1A = {{.*}}constant
// CHECK-DAG: call i64 @__ompdsm_atomic_load(ptr {{.*}}@_ZGVZ4oncevE1s, i32 1, i32 2)
// CHECK-DAG: call {{.*}}@__ompdsm__Znwm(
// CHECK-DAG: {{call|invoke}} {{.*}}@__cxa_guard_acquire
// CHECK-DAG: call preserve_mostcc void @__ompdsm_write_miss
inline int shared = 7;
struct A {
  virtual ~A();
  virtual int f() { return i; }
  int i = shared;
};
A::~A() { shared = i; }
struct S {
  S();
  ~S();
  int v;
};
int once() {
  static S s;
  return s.v;
}
A *make() { return new A; }
int call(A *a) {
  try {
    return a->f();
  } catch (int i) {
    shared = i;
    throw;
  }
}
