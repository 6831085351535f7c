// Stack objects that live in a loop: the loop's copy without checks has its own.
// RUN: %clang -O2 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -fopenmp -fplugin=%plugin -S -emit-llvm %s -o %t.ll && %opt -passes=verify -disable-output %t.ll

// Two loops that are vectorised in different ways then both have their arrays in registers, as in plain code.
// RUN: %clang -O3 -mavx2 -fopenmp -fplugin=%plugin -S -emit-llvm %S/../../bench/compare/apps/lu/lu.omp.c -o - | FileCheck %s --check-prefix=LU
// LU-LABEL: define {{.*}}@factor.omp_outlined(
// LU-NOT: alloca [32 x double]
// LU: call i32 @__ompdsm_object_writable(
// LU-NOT: alloca [32 x double]
// LU: {{^}}}
enum { Edge = 16 };
void next(void);

// CHECK-LABEL: define {{.*}}@inMemory(
// CHECK-COUNT-2: = alloca [16 x i32]
// CHECK-NOT: alloca
// CHECK: call i32 @__ompdsm_object_writable(ptr
// CHECK-NOT: alloca
// CHECK: {{^}}}
void inMemory(long n, long m, const int *restrict index, int *restrict counts) {
  for (long i = 0; i < n; i++) {
    int last[Edge] = {0};
    for (long k = 0; k < m; k++)
      last[index[k] & 15] = (int)k;
    counts[index[i]] = last[index[i] & 15];
  }
}

// What one execution of the loop stores is there for the next one, whichever of both loops that is.
// CHECK-LABEL: define {{.*}}@outlivesTheLoop(
// CHECK-COUNT-1: = alloca [16 x i32]
// CHECK-NOT: alloca
// CHECK: call i32 @__ompdsm_object_writable(ptr
// CHECK-NOT: alloca
// CHECK: {{^}}}
void outlivesTheLoop(long rounds, long n, const int *restrict index, int *restrict counts) {
  int last[Edge];
  for (long round = 0; round < rounds; round++) {
    next();
    for (long i = 0; i < n; i++) {
      if (round > 0)
        counts[index[i]] += last[index[i] & 15];
      last[index[i] & 15] = (int)i;
    }
  }
}

// Accesses behind the loop find what the loop stored.
// CHECK-LABEL: define {{.*}}@readBehindTheLoop(
// CHECK-COUNT-1: = alloca [16 x i32]
// CHECK-NOT: alloca
// CHECK: call i32 @__ompdsm_object_writable(ptr
// CHECK-NOT: alloca
// CHECK: {{^}}}
int readBehindTheLoop(long n, int wanted, const int *restrict index, int *restrict counts) {
  int last[Edge];
  for (long i = 0; i < n; i++) {
    last[index[i] & 15] = (int)i;
    counts[index[i]] = 1;
  }
  return last[wanted];
}

// Nor is an object cloned whose address the loop keeps.
// CHECK-LABEL: define {{.*}}@addressIsStored(
// CHECK-COUNT-1: = alloca [16 x i32]
// CHECK-NOT: alloca
// CHECK: call i32 @__ompdsm_object_writable(ptr
// CHECK-NOT: alloca
// CHECK: {{^}}}
void addressIsStored(long n, long m, const int *restrict index, int *restrict counts, int ***where) {
  for (long i = 0; i < n; i++) {
    int last[Edge] = {0};
    *where[index[i]] = last;
    for (long k = 0; k < m; k++)
      last[index[k] & 15] = (int)k;
    counts[index[i]] = last[index[i] & 15];
  }
}
