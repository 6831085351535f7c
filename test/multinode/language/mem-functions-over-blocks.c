// memcpy, memmove, memset, memcmp, memchr, mempcpy over block boundaries of arrays written by other
// nodes, all offsets.
#include "../report.h"
#include <omp.h>
#include <string.h>
#include <strings.h>
enum { N = 1 << 17, C = 37 };
static unsigned char a[N], b[N];
static unsigned char *h;
static unsigned char f(long i) { return (unsigned char)(i * 131 >> 3); }
int main(void) {
  h = malloc(N);
#pragma omp parallel
  {
#pragma omp for schedule(static, C)
    for (int i = 0; i < N; i++) {
      a[i] = f(i);
      h[i] = (unsigned char)~f(i);
    }
#pragma omp for schedule(static, 1)
    for (int k = 0; k < 64; k++) {
      const int at = k * 2048 + k % 9, n = 2048 - 9 + (k % 3);
      memcpy(b + at, a + at + 1 - (k == 63), n - 2);
    }
    for (int k = 0; k < 64; k++) {
      const int at = k * 2048 + k % 9, n = 2048 - 9 + (k % 3);
      expectInteger("memcmp", k, 0, memcmp(b + at, a + at + 1 - (k == 63), n - 2));
    }
#pragma omp barrier
#pragma omp for schedule(static, 1)
    for (int k = 0; k < 16; k++) {
      memmove(h + k * 8192 + 3, h + k * 8192, 8000);
      memmove(a + k * 8192, a + k * 8192 + 5, 8000);
      memset(b + k * 8192 + 7, k, 6000);
      *(unsigned char *)mempcpy(b + k * 8192 + 6500, h + k * 8192 + 3, 1000) = 200;
    }
    for (int k = 0; k < 16; k++) {
      for (int i = 0; i < 8000; i += 13) {
        expectInteger("memmove up", k * 8192 + i, (unsigned char)~f(k * 8192 + i),
                      h[k * 8192 + i + 3]);
        expectInteger("memmove down", k, f(k * 8192 + i + 5), a[k * 8192 + i]);
      }
      expectInteger("memset", k, k, b[k * 8192 + 6006]);
      expectInteger("mempcpy", k, 200, b[k * 8192 + 7500]);
      expectInteger("memchr", k, 7500,
                    (unsigned char *)memchr(b + k * 8192 + 7500, 200, 692) - b - k * 8192);
      expectInteger("memcmp sign", k, 1,
                    memcmp(b + k * 8192 + 6500, h + k * 8192 + 3, 1001) != 0 ||
                        h[k * 8192 + 1003] == 200);
    }
#pragma omp barrier
#pragma omp for schedule(static, 1)
    for (int k = 0; k < 256; k++) {
      bzero(a + k * 512 + 1, 510);
      a[k * 512] = (unsigned char)k;
      a[k * 512 + 511] = (unsigned char)(k + 1);
    }
    long s = 0;
    for (int i = 0; i < N; i++)
      s += a[i];
    expectInteger("sum", 0, 255 * 256, s);
#pragma omp barrier
#pragma omp for schedule(dynamic)
    for (int k = 0; k < 200; k++) {
      unsigned char *p = h + (k * 599) % (N - 700) / 8 * 8;
      (void)p;
      struct S {
        unsigned char x[600];
      } *src = (void *)(h + k * 600), *dst = (void *)(b + k * 600);
      *dst = *src;
    }
    for (int k = 0; k < 200 * 600; k += 7)
      expectInteger("struct copy", k, h[k], b[k]);
  }
  return finish();
}
