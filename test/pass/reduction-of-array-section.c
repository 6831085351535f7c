// The size of an array section is computed at run time; the entry behind it holds a number and has size 0.
// RUN: %clang -fopenmp -O0 -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -fopenmp -O1 -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -fopenmp -O2 -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -fopenmp -O3 -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// CHECK: = alloca [3 x i64]
// CHECK: call {{.*}}@__ompdsm_reduce(ptr {{.*}}, i32 {{.*}}, i32 3, i64 24, ptr {{.*}}, ptr {{.*}}, ptr {{.*}}, ptr {{[^@]*}}, i32 1)
void reduce(int n, double *a, int *count) {
  int c = 0;
#pragma omp parallel for reduction(+ : a[0 : n], c)
  for (int i = 0; i < n; i++)
    a[i] += i, c++;
  *count = c;
}
