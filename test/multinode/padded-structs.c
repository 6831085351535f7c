// Structs with padding and with bit-fields: each element belongs to one thread, neighbours in the
// same line to others; the members of one struct belong to different threads when they are not
// bit-fields.
#include "report.h"
#include <omp.h>

enum { Length = 400, Rounds = 5 };

struct Padded {
  char a; // 7 bytes of padding
  long b;
  short c; // 2 bytes
  int d;
  char e; // 7 bytes
};

struct Bits {
  unsigned low : 3, middle : 7, high : 6;
};

struct Nested {
  struct Padded inner[2];
  union {
    float real;
    unsigned bits;
  } either;
  char tail;
};

static struct Padded padded[Length];
static struct Bits bits[Length];
static struct Nested nested[Length];

int main(void) {
  for (int round = 0; round < Rounds; round++) {
#pragma omp parallel
    {
#pragma omp for schedule(static, 1) nowait
      for (int k = 0; k < 5 * Length; k++) { // one member per iteration
        struct Padded *p = &padded[k / 5];
        const int value = k / 5 + round;
        switch (k % 5) {
        case 0:
          p->a = (char)value;
          break;
        case 1:
          p->b = 100000000000l * value;
          break;
        case 2:
          p->c = (short)(3 * value);
          break;
        case 3:
          p->d = 5 * value;
          break;
        default:
          p->e = (char)(value + 1);
          break;
        }
      }
#pragma omp for schedule(static, 1)
      for (int i = 0; i < Length; i++) {
        bits[i].low = (unsigned)(i + round) & 7;
        bits[i].middle = (unsigned)(i * 3 + round) & 127;
        bits[i].high = (unsigned)(i * 5 + round) & 63;
        nested[i].tail = (char)(i + round);
        nested[i].either.real = 0.5f * (float)i;
      }
#pragma omp for schedule(static, 3)
      for (int i = 0; i < Length; i++) {
        nested[i].inner[0] = padded[i];
        nested[i].inner[1] = padded[Length - 1 - i];
      }
    }
    for (int i = 0; i < Length; i++) {
      const struct Padded *p = i % 2 ? &nested[i].inner[0] : &nested[Length - 1 - i].inner[1];
      expectInteger("a", i, (char)(i + round), p->a);
      expectInteger("b", i, 100000000000l * (i + round), p->b);
      expectInteger("c", i, 3 * (i + round), p->c);
      expectInteger("d", i, 5 * (i + round), p->d);
      expectInteger("e", i, (char)(i + round + 1), p->e);
      expectInteger("low", i, (i + round) & 7, bits[i].low);
      expectInteger("middle", i, (i * 3 + round) & 127, bits[i].middle);
      expectInteger("high", i, (i * 5 + round) & 63, bits[i].high);
      expectInteger("tail", i, (char)(i + round), nested[i].tail);
      expectReal("union", i, 0.5 * i, nested[i].either.real);
    }
  }
  return finish();
}
