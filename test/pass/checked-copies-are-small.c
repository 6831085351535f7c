// Of a loop nest that has a copy without checks, only that copy is vectorised and unrolled. The other one runs where
// something is missing, so it is kept small. What has no copy is vectorised as ever.
// RUN: %clang -O3 -march=haswell -fopenmp -Rpass=loop-vectorize -fplugin=%plugin -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang -O3 -march=haswell -fopenmp -Rpass=loop-unroll -fplugin=%plugin -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNROLLED
double rows(long n, long m, double *restrict y, const double *restrict a, const double *restrict x, const int *index) {
  double sum = 0;
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < m; j++)
      // CHECK: :[[#@LINE-1]]:{{.*}}: remark: vectorized loop
      // CHECK-NOT: :[[#@LINE-2]]:{{.*}}: remark: vectorized loop
      y[i * m + j] = 2 * a[i * m + j];
    sum += x[index[i]];
  }
  return sum;
}
long sumOf(const long *restrict x, const int *restrict index, long n) {
  long sum = 0;
#pragma clang loop vectorize(disable) unroll_count(4)
  for (long i = 0; i < n; i++)
    // UNROLLED: :[[#@LINE-1]]:{{.*}}: remark: unrolled loop
    // UNROLLED-NOT: :[[#@LINE-2]]:{{.*}}: remark: unrolled loop
    sum ^= x[index[i]] * i;
  return sum;
}
void scaled(long n, double *restrict a, const double *restrict b) {
#pragma clang loop unroll(disable)
  for (long i = 0; i < n; i++)
    // CHECK: :[[#@LINE-1]]:{{.*}}: remark: vectorized loop
    a[i] = 2 * b[i];
}
