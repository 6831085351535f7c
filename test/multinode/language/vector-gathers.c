// Gathers, scatters, compressions and masked stores of the vectoriser: compile with -march=native
// too.
#include "../report.h"
#include <omp.h>
enum { N = 5000 };
static int idx[N], out[N], packed[N], in[N];
static double x[N], y[N], z[N];
static short s[N];
static long l[N];
__attribute__((noinline)) static void work(int from, int to) {
  for (int i = from; i < to; i++)
    y[i] = x[idx[i]] * 2;
  for (int i = from; i < to; i++)
    z[idx[i]] = i;
  for (int i = from; i < to; i++)
    if (in[i] % 3 == 0)
      out[i] = in[i] + 1;
  for (int i = from; i < to; i++)
    s[i] = (short)(in[i] > 2500 ? in[i] : -in[i]);
  for (int i = from; i < to; i++)
    l[i] += in[i] & 1 ? l[i] + in[i] : 3;
}
__attribute__((target("avx512f"), noinline)) static int compress(int *to, const int *a, int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (a[i] & 4)
      to[k++] = a[i];
  return k;
}
int main(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < N; i++) {
      idx[i] = (int)(i * 1237L % N);
      x[i] = i;
      in[i] = i;
      out[i] = -1;
      l[i] = i;
    }
#pragma omp for schedule(static, 1)
    for (int b = 0; b < 37; b++)
      work(b * N / 37, (b + 1) * N / 37);
    for (int i = 0; i < N; i++) {
      expectReal("gather", i, 2.0 * (i * 1237L % N), y[i]);
      expectReal("scatter", i, i, z[idx[i]]);
      expectInteger("masked", i, i % 3 ? -1 : i + 1, out[i]);
      expectInteger("short", i, (short)(i > 2500 ? i : -i), s[i]);
      expectInteger("long", i, i & 1 ? 3 * i : i + 3, l[i]);
    }
#pragma omp barrier
    if (__builtin_cpu_supports("avx512f")) {
#pragma omp single
      {
        int k = compress(packed, in, N), w = 0;
        for (int i = 0; i < N; i++)
          w += (i & 4) != 0;
        expectInteger("count", 0, w, k);
      }
      int k = 0;
      for (int i = 0; i < N; i++)
        if (i & 4)
          expectInteger("packed", i, i, packed[k++]);
    }
  }
  return finish();
}
