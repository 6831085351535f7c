/* kernels-driver.c: runs each kernel plain, and checked on memory that the stub runtime protects, for
 * many sizes and alignments, and compares all bytes. Not instrumented. */
#include "kernels.h"
#include "stub-runtime.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name;
  void (*plain)(struct Work *), (*checked)(struct Work *);
} kernels[] = {
#define ENTRY(name) {#name, plain_##name, checked_##name},
    KERNELS(ENTRY)
#undef ENTRY
};

enum { Largest = 1100, Spare = 128 };
/* Seven arrays, each with room for any alignment. */
enum { ArrayBytes = (8 * Largest + Spare + 63) & ~63, RegionBytes = 7 * ArrayBytes };

void plainBarrier(void) {}

static unsigned char fill[RegionBytes];

static struct Work layOut(unsigned char *region, int n, size_t shift) {
  struct Work w = {.n = n};
  w.a = (double *)(region + 0 * ArrayBytes + 8 * (shift % 8));
  w.b = (double *)(region + 1 * ArrayBytes + 8 * ((shift + 3) % 8));
  w.c = (double *)(region + 2 * ArrayBytes + 8 * ((shift + 6) % 8));
  w.f = (float *)(region + 3 * ArrayBytes + 4 * (shift % 16));
  w.index = (int *)(region + 4 * ArrayBytes + 4 * ((shift + 5) % 16));
  w.s = (short *)(region + 5 * ArrayBytes + 2 * (shift % 32));
  w.bytes = (char *)(region + 6 * ArrayBytes + shift % 64);
  memcpy(region, fill, RegionBytes);
  for (int i = 0; i < n; i++) {
    w.a[i] = i % 91, w.b[i] = (i * 37) % 101, w.c[i] = (i * 53) % 97;
    w.f[i] = (float)(i % 13), w.index[i] = (int)((i * 29L + 3) % n), w.s[i] = (short)i;
  }
  return w;
}

int main(void) {
  static const int sizes[] = {0, 1, 2, 7, 8, 9, 31, 64, 65, 1000, 1093};
  unsigned char *plain = aligned_alloc(4096, (RegionBytes + 4095) & ~4095);
  unsigned char *checked = aligned_alloc(4096, (RegionBytes + 4095) & ~4095);
  size_t misses = 0;
  for (size_t i = 0; i < RegionBytes; i++)
    fill[i] = (unsigned char)(i * 7 + 1);
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
      for (size_t shift = 0; shift < 64; shift += sizes[i] > 100 ? 23 : 7) {
        struct Work p = layOut(plain, sizes[i], shift), c = layOut(checked, sizes[i], shift);
        kernels[k].plain(&p);
        stubProtect(checked, RegionBytes, ArrayBytes);
        fprintf(stderr, "%s, n = %d, shift %zu\n", kernels[k].name, sizes[i], shift);
        kernels[k].checked(&c);
        misses += stubMisses();
        stubFinish();
        if (memcmp(plain, checked, RegionBytes))
          for (size_t at = 0; at < RegionBytes; at++) {
            if (plain[at] == checked[at])
              continue;
            printf("kernel %s, n = %d, shift %zu: wrong at byte %zu of array %zu\n", kernels[k].name,
                   sizes[i], shift, at % ArrayBytes, at / ArrayBytes);
            return 1;
          }
      }
  printf("all kernels agree\n%s\n", misses > 5000 ? "slow paths were taken" : "hardly any slow path");
  return misses <= 5000;
}
