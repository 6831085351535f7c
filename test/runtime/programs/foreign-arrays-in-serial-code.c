// In serial code a library without checks gets arrays that regions have left on all nodes: it reads what they wrote,
// and they read what it wrote, also behind the array's begin, and in memory that was another array before.
// RUN: %plain-cc -O2 -DLIBRARY -fPIC -shared %s -o %t.library.so
// RUN: %cc -O2 %s %t.library.so -o %t
// RUN: env OMPDSM_WARN_FOREIGN=0 %run -n 1 -t 2 %t | %check %s
// RUN: env OMPDSM_WARN_FOREIGN=0 %run -n 2 %t | %check %s
// RUN: env OMPDSM_WARN_FOREIGN=0 %run -n 3 -t 2 %t | %check %s
// CHECK: ok
#ifdef LIBRARY
double total(const double *p, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++)
    sum += p[i];
  return sum;
}
void scale(double *p, long n, double by) {
  for (long i = 0; i < n; i++)
    p[i] *= by;
}
void fill(double *p, long n) {
  for (long i = 0; i < n; i++)
    p[i] = (double)i;
}
#else
#include "expect.h"
double total(const double *p, long n);
void scale(double *p, long n, double by);
void fill(double *p, long n);
enum { N = 60000, Steps = 8 };

int main(void) {
  double *a = malloc(N * sizeof *a), expected = 1;
#pragma omp parallel for
  for (long i = 0; i < N; i++)
    a[i] = 1;
  for (int step = 0; step < Steps; step++) {
#pragma omp parallel for
    for (long i = 0; i < N; i++)
      a[i] += 1;
    expected += 1;
    EXPECT(total(a, N) == expected * N);
    scale(a + N / 2, N / 2, 2);
    scale(a, N / 2, 2);
    expected *= 2;
    long wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
    for (long i = 0; i < N; i++)
      wrong += a[N - 1 - i] != expected;
    EXPECT(wrong == 0);
  }
  free(a);
  for (int round = 0; round < 3; round++) {
    double *b = malloc(N * sizeof *b);
    fill(b, N);
    for (long i = 0; i < N; i++)
      EXPECT(b[i] == (double)i);
#pragma omp parallel for
    for (long i = 0; i < N; i++)
      b[N - 1 - i] = round;
    free(b);
  }
  puts("ok");
}
#endif
