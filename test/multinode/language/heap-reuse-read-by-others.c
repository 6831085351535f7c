// Memory is freed and allocated again, by calloc, realloc, reallocarray, aligned_alloc, in serial
// code and by any thread, and read by all in each round.
#include "../report.h"
#include <malloc.h>
#include <omp.h>
#include <string.h>
enum { K = 8 };
static unsigned char *c[K], *r1[K], *r2[K], *a[K];
static size_t sizes[K] = {24, 100, 500, 3000, 15000, 20000, 70000, 300000};
int main(void) {
  for (int r = 0; r < 16; r++) {
    const int inRegion = r & 1;
#pragma omp parallel if (inRegion)
    {
#pragma omp for schedule(static, 1)
      for (int k = 0; k < K; k++) {
        const int i = (k + r / 2) % K;
        const size_t n = sizes[i];
        c[i] = calloc(n, 1);
        unsigned char *p = malloc(n / 2);
        memset(p, r + 1, n / 2);
        r1[i] = realloc(p, n);
        p = malloc(n);
        for (size_t b = 0; b < n; b++)
          p[b] = (unsigned char)(r + 2);
        r2[i] = realloc(p, n / 3);
        a[i] = aligned_alloc(64, (n + 63) / 64 * 64);
        memset(a[i], r + 3, n);
      }
    }
#pragma omp parallel
    {
      for (int i = 0; i < K; i++) {
        long bad = 0;
        const size_t n = sizes[i];
        for (size_t b = 0; b < n; b++)
          bad += c[i][b] != 0;
        expectInteger("calloc", i, 0, bad);
        for (size_t b = 0; b < n / 2; b++)
          bad += r1[i][b] != r + 1;
        expectInteger("grown", i, 0, bad);
        for (size_t b = 0; b < n / 3; b++)
          bad += r2[i][b] != r + 2;
        expectInteger("shrunk", i, 0, bad);
        for (size_t b = 0; b < n; b++)
          bad += a[i][b] != r + 3;
        expectInteger("aligned", i, 0, bad);
      }
#pragma omp barrier
#pragma omp for schedule(static, 1)
      for (int i = 0; i < K; i++) {
        memset(c[i], 0xcc, sizes[i]);
        memset(r1[i], 0xdd, sizes[i]);
      }
#pragma omp for schedule(static, 1)
      for (int k = 0; k < K; k++) {
        const int i = (k + r) % K;
        free(c[i]);
        free(r1[i]);
        free(r2[i]);
        free(a[i]);
      }
    }
  }
  return finish();
}
