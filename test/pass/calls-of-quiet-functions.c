// Loops that call functions in which nothing synchronises before they return keep their permissions: their accesses are
// asked for in front of them.
// RUN: %clang -O2 -fno-vectorize -fno-unroll-loops -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -fno-vectorize -fno-unroll-loops -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=MARKS
// RUN: %clang -O2 -fopenmp -fplugin=%plugin -flto -c %s -o %t.o && llvm-dis %t.o -o - | FileCheck %s --check-prefix=MARKS
// MARKS-NOT: ompdsm-quiet
#include <stdio.h>
#include <stdlib.h>
void next(void);

struct List {
  struct List *next;
  long value;
};
static __attribute__((noinline)) struct List *made(struct List *rest, long value) {
  struct List *list = malloc(sizeof *list);
  if (!list) {
    next();
    fprintf(stderr, "no memory\n");
    exit(1);
  }
  list->next = rest;
  list->value = value;
  return list;
}
static void drop(struct List *list);
static __attribute__((noinline)) struct List *rest(struct List *list) {
  struct List *rest = list->next;
  free(list);
  drop(rest);
  return NULL;
}
static __attribute__((noinline)) void drop(struct List *list) {
  if (list)
    rest(list);
}

// A section in front of the loop; what the callee may change is loaded anew.
// CHECK-LABEL: define {{.*}}@section(
// CHECK: call void @__ompdsm_loop_read(ptr %0,
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
struct List *section(const long *a, long n) {
  struct List *list = NULL;
  for (long i = 0; i < n; i++)
    list = made(list, a[i]);
  return list;
}
// A copy without checks, in which the callee has its own.
// CHECK-LABEL: define {{.*}}@copy(
// CHECK: call i32 @__ompdsm_object_readable(ptr %0)
// CHECK: __ompdsm_read_miss
// CHECK: {{^}}}
struct List *copy(const long *a, const int *restrict index, long n) {
  struct List *list = NULL;
  for (long i = 0; i < n; i++)
    list = made(list, a[index[i]]);
  return list;
}
// By mutual recursion.
// CHECK-LABEL: define {{.*}}@recursive(
// CHECK: call void @__ompdsm_loop_read(ptr %0,
// CHECK: call {{.*}}@{{drop|rest}}(
// CHECK-NOT: __ompdsm
// CHECK: {{^}}}
void recursive(struct List *const *a, long n) {
  for (long i = 0; i < n; i++)
    drop(a[i]);
}

// Its clone, which no loop calls in the end, would call itself, and another module's function.
// RUN: %clang -O2 -fopenmp -fplugin=%plugin -c %s -o %t.regular.o
// CHECK-LABEL: define {{.*}}@failing(
// CHECK: call {{.*}}@report(
// CHECK: {{^}}}
void say(const long *);
static __attribute__((noinline)) void report(long *log, int depth) {
  *log += depth;
  if (depth == 0) {
    say(log);
    exit(1);
  }
  report(log, depth - 1);
  *log = -1;
}
void failing(long **logs, long n) {
  for (long i = 0; i < n; i++)
    report(logs[i], 3);
}

// --- Not applied.

// CHECK-LABEL: define {{.*}}@synchronising(
// CHECK-NOT: __ompdsm_loop
// CHECK: {{^}}}
static __attribute__((noinline)) void inner(long value) {
  if (value == 7)
    next();
}
static __attribute__((noinline)) void outer(long value) {
  inner(value);
  free(malloc((size_t)value));
}
void synchronising(const long *a, long n) {
  for (long i = 0; i < n; i++)
    outer(a[i]);
}
// The callee may end the loop, and the program: nothing is overwritten unseen.
// CHECK-LABEL: define {{.*}}@ended(
// CHECK-NOT: overwrite
// CHECK: call void @__ompdsm_loop_write(ptr %0,
// CHECK-NOT: overwrite
// CHECK: {{^}}}
static __attribute__((noinline)) void end(long i) {
  fprintf(stderr, "%ld\n", i);
  exit(1);
}
static __attribute__((noinline)) void require(long i) {
  free(malloc(100));
  if (i == 12345)
    end(i);
}
void ended(long *restrict a, long n) {
  for (long i = 0; i < n; i++) {
    a[i] = i;
    require(i);
  }
}
