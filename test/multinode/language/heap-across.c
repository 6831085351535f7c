// malloc, calloc, realloc, aligned_alloc, posix_memalign, reallocarray, malloc_usable_size, free by
// whichever thread.
#include "../report.h"
#include <malloc.h>
#include <omp.h>
#include <stdint.h>
#include <string.h>
enum { N = 120 };
static unsigned char *p[N], *q[N];
static void *al[N];
static int *z[N];
int main(void) {
#pragma omp parallel
  for (int r = 0; r < 2; r++) {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < N; i++) {
      const size_t n = 17 + i * 331;
      p[i] = malloc(n);
      memset(p[i], i, n);
      q[i] = aligned_alloc(256, 256 * (i + 1));
      q[i][256 * i + 255] = (unsigned char)i;
      expectInteger("memalign", i, 0, posix_memalign(&al[i], 1u << (3 + i % 12), n));
      *(unsigned char *)al[i] = (unsigned char)i;
      z[i] = calloc(n, sizeof(int));
      expectInteger("usable", i, 1, malloc_usable_size(p[i]) >= n);
    }
    for (int step = 0; step < 3; step++)
#pragma omp for schedule(static, 1)
      for (int k = 0; k < N; k++) {
        const int i = (k + step + 1) % N;
        const size_t was =
            step ? (size_t)(17 + i * 331) * (step + 1) - (step == 2 ? (17 + i * 331) * 2 : 0)
                 : 17 + i * 331;
        (void)was;
        const size_t n = step == 0 ? 2 * (17 + i * 331) : step == 1 ? 17 + i * 331 : 9000;
        p[i] = realloc(p[i], n);
        for (size_t b = 0; b < 17; b++)
          expectInteger("realloc", i, i, p[i][b]);
        if (step == 0) {
          expectInteger("realloc end", i, i, p[i][16 + i * 331]);
          memset(p[i], i, n);
        }
        if (step == 1)
          expectInteger("shrunk end", i, i, p[i][n - 1]);
        expectInteger("usable by others", i, 1, malloc_usable_size(p[i]) >= n);
      }
#pragma omp for schedule(static, 3)
    for (int i = 0; i < N; i++) {
      expectInteger("aligned", i, 0, (intptr_t)q[i] % 256 + (intptr_t)al[i] % (1 << (3 + i % 12)));
      expectInteger("q", i, i, q[i][256 * i + 255]);
      for (int k = 0; k < 17 + i * 331; k++)
        expectInteger("zero", i, 0, z[i][k]);
      z[i][i] = 5;
      z[i] = reallocarray(z[i], 50000, sizeof(int));
      expectInteger("reallocarray", i, 5, z[i][i]);
      z[i][49999] = 1;
    }
#pragma omp for schedule(static, 5)
    for (int i = 0; i < N; i++) {
      free(p[i]);
      free(q[i]);
      free(al[i]);
      free(z[i]);
      free(realloc(NULL, 50));
      free(NULL);
    }
  }
  return finish();
}
