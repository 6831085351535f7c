/* kernels.c: accesses of all shapes. Compiled twice, with -DKERNEL(name)=plain_##name without the
 * plugin and -DKERNEL(name)=checked_##name with it; the results must be the same to the bit. */
#include "kernels.h"
#include "stub-runtime.h"
#include <complex.h>
#include <stdint.h>
#include <string.h>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

/* Synchronises as far as the compiler knows. The plain kernels have no permissions to lose. */
#ifdef CHECKED
#define SYNCHRONISE() stubSynchronise()
#define KERNEL(name) checked_##name
#else
void plainBarrier(void);
#define SYNCHRONISE() plainBarrier()
#define KERNEL(name) plain_##name
#endif

void KERNEL(triad)(struct Work *w) {
  double *restrict a = w->a;
  for (int i = 0; i < w->n; i++)
    a[i] = w->b[i] + 3 * w->c[i];
}
void KERNEL(stencil)(struct Work *w) {
  for (int step = 0; step < 3; step++) {
    for (int i = 1; i < w->n - 1; i++)
      w->a[i] = (w->b[i - 1] + 2 * w->b[i] + w->b[i + 1]) / 4;
    double *swap = w->a;
    w->a = w->b, w->b = swap;
  }
}
void KERNEL(reversed)(struct Work *w) {
  for (int i = 0; i < w->n; i++)
    w->a[w->n - 1 - i] = w->b[i];
}
void KERNEL(strided)(struct Work *w) {
  for (int i = 0; i < w->n; i += 9)
    w->a[i] = w->b[i] - 1;
}
void KERNEL(gather)(struct Work *w) {
  for (int i = 0; i < w->n; i++)
    w->a[i] = w->b[w->index[i]];
}
/* Of b a part is there by then. */
void KERNEL(partly)(struct Work *w) {
  const double *restrict b = w->b;
  double *restrict a = w->a, *restrict c = w->c;
  const int n = w->n;
  for (int round = 0; round < 4; round++) {
    double sum = 0;
    for (int i = n / 8; i < n / 2; i++)
      sum += b[i];
    for (int i = 0; i < n; i++)
      a[i] = 1.5 * b[w->index[i]] + sum;
    for (int i = 0; i < n; i++)
      for (int k = 0; k < 3; k++)
        c[i] += b[w->index[(i * 3 + k) % n]];
    for (int i = 0; i < n / 16; i++)
      for (int k = 0; k < n / 8; k++)
        c[i] += b[w->index[i] % 8 * (n / 8) + k];
    if (round == 1)
      SYNCHRONISE();
    if (n != 0)
      a[0] += b[w->index[n / 2]] + ((const float *)b)[2 * w->index[n / 3] + 1];
  }
}
void KERNEL(scatter)(struct Work *w) {
#pragma clang loop vectorize(assume_safety)
  for (int i = 0; i < w->n; i += 2)
    w->a[(w->index[i] & 1) + i] = w->b[i];
}
void KERNEL(histogram)(struct Work *w) {
  for (int i = 0; i < w->n; i++)
    w->s[w->index[i]]++;
}
void KERNEL(sum)(struct Work *w) {
  float s = 0;
  for (int i = 0; i < w->n; i++)
    s += w->f[i];
  if (w->n)
    w->f[0] = s;
}
void KERNEL(dot)(struct Work *w) {
  long s = 0;
  for (int i = 0; i < w->n; i++)
    s += w->s[i] * w->index[i];
  if (w->n)
    w->a[w->n / 2] = (double)s;
}
void KERNEL(conditional)(struct Work *w) {
  double *restrict a = w->a;
  const double *restrict b = w->b, *restrict c = w->c;
  for (int i = 0; i < w->n; i++)
    if (c[i] > 50)
      a[i] = b[i] * 2;
}
void KERNEL(conditionalFloat)(struct Work *w) {
  float *restrict f = w->f;
  const int *restrict x = w->index;
  for (int i = 0; i < w->n; i++)
    if (x[i] % 3 == 0)
      f[i] = f[i] + x[i];
}
void KERNEL(compact)(struct Work *w) {
  int k = 0;
  for (int i = 0; i < w->n; i++)
    if (w->b[i] > 30)
      w->a[k++] = w->b[i];
}
void KERNEL(converted)(struct Work *w) {
  for (int i = 0; i < w->n; i++)
    w->s[i] = (short)w->b[i], w->f[i] = (float)w->c[i];
}
void KERNEL(charactersUp)(struct Work *w) {
  for (int i = 0; i < 8 * w->n; i++)
    w->bytes[i] = (char)(w->bytes[i] + 1);
}
void KERNEL(shorts)(struct Work *w) {
  for (int i = 1; i < w->n; i++)
    w->s[i] = (short)(w->s[i] + w->s[i - 1]);
}
void KERNEL(copied)(struct Work *w) {
  memcpy(w->a, w->b, sizeof(double) * (size_t)w->n);
  if (w->n >= 16) {
    memcpy(w->bytes + 3, w->c, 24);
    memcpy(w->bytes + 40, w->c + 1, 80);
  }
}
void KERNEL(moved)(struct Work *w) {
  if (w->n > 2)
    memmove(w->bytes + 5, w->bytes, 8 * (size_t)w->n - 10);
}
void KERNEL(filled)(struct Work *w) {
  memset(w->bytes + (w->n > 0), 7, 4 * (size_t)w->n);
  if (w->n >= 8)
    memset(w->bytes + 33, 9, 31);
}
void KERNEL(compared)(struct Work *w) {
  if (w->n)
    w->index[0] = memcmp(w->a, w->b, 8 * (size_t)w->n) > 0;
  if (w->n > 4)
    w->index[1] = memcmp(w->c, w->b, 16) == 0;
}
struct Item {
  double x;
  int i;
  char name[7];
  short s[30];
};
void KERNEL(structures)(struct Work *w) {
  struct Item *items = (struct Item *)w->a;
  int n = w->n * 8 / (int)sizeof *items;
  for (int k = 1; k < n; k++) {
    items[k - 1] = items[k];
    items[k].i += 2;
    items[k].s[k % 30] = (short)k;
  }
}
struct __attribute__((packed)) Packed {
  char tag;
  double x;
  int64_t l;
  short s;
};
void KERNEL(packed)(struct Work *w) {
  struct Packed *items = (struct Packed *)w->bytes;
  for (int k = 0; k < 8 * w->n / (int)sizeof *items; k++) {
    items[k].x = k;
    items[k].l += items[k].tag;
    items[k].s ^= 5;
  }
}
struct __attribute__((packed)) Node {
  short child[2];
  int key;
  unsigned char value;
};
/* From node to node: the key always, one of the children or the value perhaps. */
void KERNEL(searched)(struct Work *w) {
  const struct Node *nodes = (const struct Node *)w->bytes;
  const int n = w->n * 8 / (int)sizeof *nodes;
  for (int i = 0; n > 0 && i < w->n; i++) {
    const struct Node *node = &nodes[w->index[i] % n];
    for (int step = 0; step < 5 && node->key % 4; step++) {
      node = &nodes[(unsigned short)node->child[node->key & 1] % n];
      if (i % 7 == 0 && node->key < 0)
        SYNCHRONISE();
    }
    w->s[i] = (short)(node->key & 2 ? node->value : node->child[1]);
  }
}
struct Bits {
  unsigned a : 3, b : 17, c : 12;
};
void KERNEL(bits)(struct Work *w) {
  struct Bits *items = (struct Bits *)w->index;
  for (int k = 0; k < w->n; k++)
    items[k].b += 3, items[k].c = items[k].a;
}
void KERNEL(increments)(struct Work *w) {
  for (int i = 0; i < w->n; i++)
    w->a[i] += w->b[i], w->a[i] *= 2;
}
void KERNEL(pointers)(struct Work *w) {
  for (double *p = w->a, *q = w->b; p < w->a + w->n;)
    *p++ = *q++;
}
/* The pointers are in variables: loaded anew after each call, they would be other ones to the compiler. */
void KERNEL(synchronising)(struct Work *w) {
  double *a = w->a;
  for (int i = 0; i + 1 < w->n && i < 40; i++) {
    a[i] += 1;
    SYNCHRONISE();
    a[i] += a[i + 1];
    a[i + 1] = a[i];
    if (i % 3 == 0)
      SYNCHRONISE();
    a[i] *= 0.5;
  }
}
void KERNEL(atomics)(struct Work *w) {
  double *b = w->b;
  int *index = w->index;
  short *s = w->s;
  for (int i = 0; i < w->n && i < 20; i++) {
    double before = b[i];
    __atomic_fetch_add(&index[i], 3, __ATOMIC_RELAXED);
    b[i] = before + b[i] + __atomic_load_n(&index[0], __ATOMIC_ACQUIRE);
    __atomic_store_n(&s[i], (short)i, __ATOMIC_RELEASE);
    int expected = index[i];
    __atomic_compare_exchange_n(&index[i], &expected, 7, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
    b[i] += s[i];
  }
}
void KERNEL(fenced)(struct Work *w) {
  double *b = w->b;
  for (int i = 0; i < w->n && i < 20; i++) {
    b[i] += 1;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    b[i] += 1;
  }
}
void KERNEL(branches)(struct Work *w) {
  double *a = w->a;
  int *index = w->index;
  for (int i = 0; i + 2 < w->n; i++) {
    if (index[i] & 1)
      a[i] = 1;
    else if (index[i] & 2)
      SYNCHRONISE();
    else
      a[i + 1] = a[i];
    a[i] += 1;
    while (a[i] > 40 && a[i] < 100)
      a[i] += 17, a[i + 2] -= 1;
  }
}
void KERNEL(matrix)(struct Work *w) {
  int m = 0;
  while ((m + 1) * (m + 1) <= w->n)
    m++;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) {
      double s = 0;
      for (int k = 0; k < m; k++)
        s += w->b[i * m + k] * w->c[k * m + j];
      w->a[i * m + j] = s;
    }
}
void KERNEL(complexNumbers)(struct Work *w) {
  double complex *z = (double complex *)w->a, *y = (double complex *)w->b;
  for (int i = 0; i < w->n / 2; i++)
    z[i] = y[i] + z[i] * 2;
}
void KERNEL(longDoubles)(struct Work *w) {
  char *p = w->bytes + (-(uintptr_t)w->bytes & 15);
  for (int i = 0; i < w->n / 4; i++) {
    long double *x = (long double *)(p + 16 * i);
    *x = i;
  }
}
void KERNEL(locals)(struct Work *w) {
  double row[64], *where = row;
  for (int i = 0; i < w->n; i++)
    where[i & 63] = w->b[i];
  for (int i = 0; i < w->n && i < 64; i++)
    w->a[i] = row[i];
}
static double add(struct Work *w, int from, int to) {
  if (to - from < 2)
    return from < to ? w->b[from] : 0;
  int middle = (from + to) / 2;
  return w->a[from] = add(w, from, middle) + add(w, middle, to);
}
void KERNEL(recursive)(struct Work *w) { add(w, 0, w->n); }
void KERNEL(variableArrays)(struct Work *w) {
  double row[w->n + 1];
  memcpy(row, w->b, sizeof(double) * (size_t)w->n);
  for (int i = 0; i < w->n; i++)
    w->a[i] = row[w->n - 1 - i];
}
void KERNEL(doubled)(struct Work *w) {
  typedef double Four __attribute__((vector_size(32), aligned(8)));
  for (int i = 0; i + 4 <= w->n; i += 4)
    *(Four *)(w->a + i) = 2 * *(Four *)(w->b + i);
}
/* With AVX-512 by its instructions; the plain kernels are compiled without. */
void KERNEL(expanded)(struct Work *w) {
  for (int i = 0; i + 8 <= w->n; i += 8) {
    unsigned char mask = (unsigned char)(i * 5 + 3);
#ifdef __AVX512F__
    __m512d v = _mm512_mask_expandloadu_pd(_mm512_set1_pd(1), mask, w->b + i);
    _mm512_storeu_pd(w->a + i, v);
#else
    for (int lane = 0, k = 0; lane < 8; lane++)
      w->a[i + lane] = mask >> lane & 1 ? w->b[i + k++] : 1;
#endif
  }
}
void KERNEL(compressed)(struct Work *w) {
  for (int i = 0; i + 8 <= w->n; i += 8) {
    unsigned char mask = (unsigned char)(i * 5);
#ifdef __AVX512F__
    _mm512_mask_compressstoreu_pd(w->a + i, mask, _mm512_loadu_pd(w->b + i));
#else
    for (int lane = 0, k = 0; lane < 8; lane++)
      if (mask >> lane & 1)
        w->a[i + k++] = w->b[i + lane];
#endif
  }
}
#include "nests.h"
#include "bounds.h"
