// Large local variables that leave the module's functions get their place from the runtime, until they go out of scope.
// RUN: %clang -O1 -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O0 -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck --check-prefix=O0 %s
// RUN: %clang -O1 -fopenmp -fplugin=%plugin -fplugin-arg-ompdsm-no-large-locals -S -emit-llvm %s -o - | FileCheck --check-prefix=NONE %s
// NONE-NOT: __ompdsm_local
// O0-COUNT-3: call {{.*}}@__ompdsm_local_end(
void show(double *);
struct View { double *data; };
void showView(struct View *);
int printf(const char *, ...);

// CHECK-LABEL: define {{.*}}@inRegions(
// CHECK: %[[LOCAL:.*]] = alloca [10000 x double]
// CHECK: %[[PLACE:.*]] = {{.*}}call noalias nonnull align 16 ptr @__ompdsm_local_begin(ptr {{.*}}%[[LOCAL]], i64 80000)
// CHECK: @__kmpc_fork_call({{.*}}%[[PLACE]]
// CHECK: call void @__ompdsm_local_end(ptr {{.*}}%[[LOCAL]], ptr {{.*}}%[[PLACE]])
// CHECK-NEXT: ret
double inRegions(int n) {
  double values[10000];
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    values[i] = i;
  return values[n / 2];
}

__attribute__((noinline)) static void passOn(double *values) { show(values + 1); }
// CHECK-LABEL: define {{.*}}@byFunctionsOfTheModule(
// CHECK: call {{.*}}@__ompdsm_local_begin(
void byFunctionsOfTheModule(void) {
  double values[10000];
  passOn(values);
}

// CHECK-LABEL: define {{.*}}@inAnotherObject(
// CHECK: call {{.*}}@__ompdsm_local_begin(
void inAnotherObject(void) {
  double values[10000];
  struct View view = {values};
  showView(&view);
}

// What a loop's body declares ends with each iteration.
// CHECK-LABEL: define {{.*}}@ofUnknownSize(
// CHECK: %[[SAVED:.*]] = {{.*}}call ptr @llvm.stacksave
// CHECK: %[[VALUES:.*]] = {{.*}}call nonnull align 16 ptr @__ompdsm_local_begin(ptr {{.*}}, i64 %{{.*}})
// CHECK: call void @show(ptr {{.*}}%[[VALUES]])
// CHECK: call void @__ompdsm_locals_end(ptr {{.*}}%[[SAVED]])
// CHECK-NEXT: call void @llvm.stackrestore
void ofUnknownSize(long n) {
  for (long i = 0; i < n; i++) {
    double values[n];
    show(values);
  }
}

// --- Not applied.
// CHECK-LABEL: define {{.*}}@notLarge(
// CHECK-NOT: @__ompdsm_local_begin(
// CHECK: {{^}}}
void notLarge(void) {
  double values[2000];
  show(values);
}

__attribute__((noinline)) static double *within(double *values, int at) { return values + at; }
// CHECK-LABEL: define {{.*}}@ofItsThreadAlone(
// CHECK-NOT: @__ompdsm_local_begin(
// CHECK: {{^}}}
double ofItsThreadAlone(int n) {
  double values[10000], *at = values;
  for (int i = 0; i < n; i++)
    *at++ = i;
  __builtin_memset(values, 0, n);
  printf("%s", (const char *)values);
  return *within(values, n) + at[-1];
}
// The runtime gives pages.
// CHECK-LABEL: define {{.*}}@aligned(
// CHECK-NOT: @__ompdsm_local_begin(
// CHECK: {{^}}}
void aligned(void) {
  _Alignas(8192) double values[10000];
  show(values);
}
// Of alloca: made once in a call, it ends with its function; in a loop nothing would end it before.
// CHECK-LABEL: define {{.*}}@onceByAlloca(
// CHECK: %[[ROOM:.*]] = alloca
// CHECK: %[[GIVEN:.*]] = {{.*}}call {{.*}}@__ompdsm_local_begin(ptr {{.*}}%[[ROOM]],
// CHECK: call void @__ompdsm_local_end(ptr {{.*}}%[[ROOM]], ptr {{.*}}%[[GIVEN]])
// CHECK-NEXT: ret
void onceByAlloca(unsigned long n) { show(__builtin_alloca(8 * n)); }
// CHECK-LABEL: define {{.*}}@oftenByAlloca(
// CHECK-NOT: @__ompdsm_local_begin(
// CHECK: {{^}}}
void oftenByAlloca(unsigned long n) {
  for (unsigned long i = 0; i < n; i++)
    show(__builtin_alloca(8 * i));
}
