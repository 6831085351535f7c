// A loop of a few iterations, each of which accesses another plane, is not worth a question about the rows: each access is
// tested. One of more iterations is, and so are rows that are one, or for which a loop further out can ask.
// RUN: %clang -O2 -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// CHECK-LABEL: define {{.*}}@fewPlanes(
// CHECK-NOT: __ompdsm_section
// CHECK: {{^}}}
void fewPlanes(double *to, long plane, const int *mask, long n) {
  for (long i = 0; i < n; i++)
    if (mask[i] == 7)
#pragma nounroll
      for (int q = 0; q < 19; q++)
        to[i + q * plane] += 1;
}
// CHECK-LABEL: define {{.*}}@manyPlanes(
// CHECK: __ompdsm_section
// CHECK: {{^}}}
void manyPlanes(double *to, long plane, const int *mask, long n) {
  for (long i = 0; i < n; i++)
    if (mask[i] == 7)
#pragma nounroll
      for (int q = 0; q < 100; q++)
        to[i + q * plane] += 1;
}
// CHECK-LABEL: define {{.*}}@inAll(
// CHECK: __ompdsm_section
// CHECK: {{^}}}
void inAll(double *to, long plane, long n) {
  for (long i = 0; i < n; i++)
#pragma nounroll
    for (int q = 0; q < 19; q++)
      to[i + q * plane] += 1;
}
