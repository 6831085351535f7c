// Loops that the compiler vectorises, over float, double and int8 data, with every number of
// iterations from 0 to 67 and several alignments, so that full vectors, masked ones and scalar
// rests are all used; neighbours belong to others.
#include "report.h"
#include <omp.h>

enum { Threads = 64, Most = 68, Length = Threads * Most + 1 };

static float floats[Length];
static double doubles[Length];
static signed char bytes[Length];

static void addFloats(float *a, const float *b, int n) {
  for (int i = 0; i < n; i++)
    a[i] = a[i] + 2.0f * b[i];
}

static void addDoubles(double *a, const double *b, int n) {
  for (int i = 0; i < n; i++)
    a[i] = a[i] + 3.0 * b[i];
}

static void addBytes(signed char *a, const signed char *b, int n) {
  for (int i = 0; i < n; i++)
    a[i] = (signed char)(a[i] + b[i]);
}

static void keepPositive(int *a, int n) { // a conditional store: masked when vectorised
  for (int i = 0; i < n; i++)
    if (a[i] < 0)
      a[i] = 0;
}

int main(void) {
  float *f = malloc(Most * sizeof *f);
  double *d = malloc(Most * sizeof *d);
  signed char *c = malloc(Most);
  int *mixed = malloc((size_t)Threads * Most * sizeof *mixed);
  for (int i = 0; i < Most; i++) {
    f[i] = (float)i;
    d[i] = i;
    c[i] = (signed char)i;
  }
  for (int i = 0; i < Length; i++) {
    floats[i] = doubles[i] = 1;
    bytes[i] = 1;
  }
  for (int n = 0; n < Most; n++) {
#pragma omp parallel
    {
      const int me = omp_get_thread_num(), threads = omp_get_num_threads();
      addFloats(floats + me * n, f, n); // part of n elements for each thread
      addDoubles(doubles + me * n, d + Most - n, n);
      addBytes(bytes + me * n, c, n);
      for (int i = 0; i < n; i++)
        mixed[me * n + i] = (i + me) % 2 ? i + 1 : -i - 1;
      keepPositive(mixed + me * n, n);
#pragma omp barrier
      const int other = (me + 1) % threads;
      for (int i = 0; i < n; i++) {
        expectReal("float", i, 1 + 2 * i, floats[other * n + i]);
        expectReal("double", i, 1 + 3 * (Most - n + i), doubles[other * n + i]);
        expectInteger("int8", i, 1 + i, bytes[other * n + i]);
        expectInteger("masked", i, (i + other) % 2 ? i + 1 : 0, mixed[other * n + i]);
      }
      expectReal("float behind", n, 1, floats[threads * n]);
      expectReal("double behind", n, 1, doubles[threads * n]);
      expectInteger("int8 behind", n, 1, bytes[threads * n]);
#pragma omp barrier
      for (int i = 0; i < n; i++) {
        floats[me * n + i] = 1;
        doubles[me * n + i] = 1;
        bytes[me * n + i] = 1;
      }
    }
  }
  free(f);
  free(d);
  free(c);
  free(mixed);
  return finish();
}
