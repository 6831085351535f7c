// Bit-fields that a zero width field separates are memory locations of their own: written by
// different threads without a lock.
#include "../report.h"
#include <omp.h>
enum { N = 200 };
static struct S {
  unsigned a : 5;
  unsigned : 0;
  unsigned b : 11;
  unsigned : 0;
  unsigned c : 3;
  unsigned : 0;
  char d;
  unsigned : 0;
  unsigned e : 4;
  unsigned : 0;
  unsigned f : 30;
} s[N];
struct __attribute__((packed)) P {
  unsigned a : 7;
  unsigned b : 9;
  char c;
  unsigned long d : 48;
  short e;
};
static struct P p[N];
int main(void) {
#pragma omp parallel
  for (int r = 0; r < 5; r++) {
#pragma omp for schedule(static, 1)
    for (int k = 0; k < N * 6; k++) {
      const int i = k / 6;
      switch (k % 6) {
      case 0:
        s[i].a = i + r;
        break;
      case 1:
        s[i].b = i * 3 + r;
        break;
      case 2:
        s[i].c = i;
        break;
      case 3:
        s[i].d = (char)(i + r);
        break;
      case 4:
        s[i].e = i;
        break;
      default:
        s[i].f = i * 1000 + r;
      }
    }
#pragma omp for schedule(static, 1)
    for (int k = 0; k < N * 4; k++) {
      const int i = k / 4;
      switch (k % 4) {
      case 0:
        p[i].a = i;
        p[i].b = i + r;
        break;
      case 1:
        p[i].c = (char)i;
        break;
      case 2:
        p[i].d = i * 100000l + r;
        break;
      default:
        p[i].e = (short)(i - r);
      }
    }
    for (int i = 0; i < N; i++) {
      expectInteger("a", i, (i + r) & 31, s[i].a);
      expectInteger("b", i, i * 3 + r, s[i].b);
      expectInteger("c", i, i & 7, s[i].c);
      expectInteger("d", i, (char)(i + r), s[i].d);
      expectInteger("e", i, i & 15, s[i].e);
      expectInteger("f", i, i * 1000 + r, s[i].f);
      expectInteger("pa", i, i & 127, p[i].a);
      expectInteger("pb", i, i + r, p[i].b);
      expectInteger("pc", i, (char)i, p[i].c);
      expectInteger("pd", i, i * 100000l + r, p[i].d);
      expectInteger("pe", i, i - r, p[i].e);
    }
#pragma omp barrier
  }
  return finish();
}
