// Bit-fields under a lock, unions, packed structs, flexible array members, large structs by value,
// unaligned access by memcpy.
#include "../report.h"
#include <omp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
struct Bits {
  unsigned a : 3;
  int b : 13;
  unsigned long c : 40;
  _Bool d : 1;
  unsigned e : 7;
};
struct __attribute__((packed)) Packed {
  char c;
  double d;
  short s;
  long double ld;
  int i;
};
struct Flex {
  int n;
  short tail[];
};
union Any {
  double d;
  uint64_t u;
  float f[2];
  unsigned char b[8];
};
struct Large {
  long v[150];
  char c;
};
static struct Large make(int i) {
  struct Large l;
  for (int k = 0; k < 150; k++)
    l.v[k] = i + k;
  l.c = (char)i;
  return l;
}
static long sum(struct Large l, struct Large m) {
  long s = 0;
  for (int k = 0; k < 150; k++)
    s += l.v[k] - m.v[k];
  l.c = 0;
  return s + l.c;
}
typedef struct {
  float x, y;
} Pair;
static Pair pair(int i) { return (Pair){i, -i}; }
enum { N = 90 };
static struct Bits bits[8];
static struct Packed packed[N];
static struct Flex *flex[N];
static union Any any[N];
static struct Large large[N], copies[N];
static char bytes[N * 11 + 8];
static Pair pairs[N];
int main(void) {
  struct Large *heap = malloc(N * sizeof *heap);
  int threads = 1;
#pragma omp parallel
  {
#pragma omp single
    threads = omp_get_num_threads();
#pragma omp for schedule(static, 1)
    for (int i = 0; i < N; i++) {
      packed[i] = (struct Packed){(char)i, i / 2.0, (short)-i, i * 3.0L, i};
      flex[i] = malloc(offsetof(struct Flex, tail) + i * sizeof(short));
      flex[i]->n = i;
      for (int k = 0; k < i; k++)
        flex[i]->tail[k] = (short)k;
      any[i].d = i * 1.5;
      large[i] = make(i);
      heap[i] = large[i];
      uint64_t u = i * 0x0101010101010101ul;
      memcpy(bytes + i * 11 + 1, &u, 8);
      *(&bytes[i * 11 + 9]) = (char)i;
      pairs[i] = pair(i);
    }
    for (int r = 0; r < 20; r++)
#pragma omp critical
    {
      struct Bits *b = &bits[r % 8];
      b->a++;
      b->b -= 3;
      b->c += 1000000;
      b->d = !b->d;
      b->e++;
    }
#pragma omp for schedule(static, 3)
    for (int i = 0; i < N; i++)
      copies[i] = heap[(i + 1) % N];
    for (int i = 0; i < N; i++) {
      expectReal("packed d", i, i / 2.0, packed[i].d);
      expectReal("packed ld", i, i * 3.0, (double)packed[i].ld);
      expectInteger("packed s", i, -i, packed[i].s);
      expectInteger("packed i", i, i, packed[i].i);
      expectInteger("flex", i, i ? i - 1 : -1, i ? flex[i]->tail[flex[i]->n - 1] : -1);
      double d;
      memcpy(&d, any[i].b, 8);
      expectReal("union", i, i * 1.5, d);
      expectInteger("struct", i, 0, sum(large[i], heap[i]));
      expectInteger("char", i, (char)((i + 1) % N), copies[i].c);
      uint64_t u;
      memcpy(&u, bytes + i * 11 + 1, 8);
      expectInteger("bytes", i, i * 0x0101010101010101l, u);
      expectInteger("byte", i, (char)i, bytes[i * 11 + 9]);
      expectReal("pair", i, -i, pairs[i].y);
    }
#pragma omp barrier
#pragma omp for schedule(static, 5)
    for (int i = 0; i < N; i++)
      free(flex[i]);
  }
  for (int k = 0; k < 8; k++) {
    const int c = threads * (k < 4 ? 3 : 2);
    expectInteger("a", k, c & 7, bits[k].a);
    expectInteger("b", k, -3 * c, bits[k].b);
    expectInteger("c", k, c * 1000000l, bits[k].c);
    expectInteger("d", k, c & 1, bits[k].d);
    expectInteger("e", k, c & 127, bits[k].e);
  }
  free(heap);
  return finish();
}
