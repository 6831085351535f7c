// A check in front of a loop changes nothing of how it is vectorised: the remarks are those of plain Clang.
// RUN: %clang -O3 -march=haswell -fopenmp -Rpass=loop-vectorize -c %s -o /dev/null 2> %t.plain
// RUN: %clang -O3 -march=haswell -fopenmp -Rpass=loop-vectorize -fplugin=%plugin -c %s -o /dev/null 2> %t.checked
// RUN: diff %t.plain %t.checked
// RUN: FileCheck %s < %t.checked
// CHECK-COUNT-6: remark: vectorized loop
void scaled(double *restrict a, const double *restrict b, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    a[i] = 2 * b[i];
}
void overlapping(float *a, float *b, float *c, int n) {
  for (int i = 0; i < n; i++)
    a[i] = b[i] + c[i + 1];
}
void stencil(long n, double (*restrict a)[n], double (*restrict b)[n]) {
#pragma omp parallel for
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < n - 1; j++)
      a[i][j] = b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1];
}
int sum(const int *a, int n) {
  int s = 0;
#pragma omp simd reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}
void narrowed(short *restrict a, const int *restrict b, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    a[i] = (short)b[i];
}
void product(long n, double *restrict a, const double *restrict b, const double *restrict c) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < n; k++)
      for (long j = 0; j < n; j++)
        a[i * n + j] += b[i * n + k] * c[k * n + j];
}
