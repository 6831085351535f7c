// Accesses of 2 to 8 bytes at every address, many of which straddle a line of 64 bytes or a page,
// in packed structs and through casts by memcpy; neighbours in an array belong to different
// threads.
#include "report.h"
#include <omp.h>
#include <string.h>

enum { Length = 1200 };

struct __attribute__((packed)) Record {
  char tag;
  double real;
  short small;
  int number;
  long big;
  float ratio;
}; // 27 bytes

static struct Record records[Length];

int main(void) {
  struct Record *allocated = malloc(Length * sizeof *allocated);
  for (int round = 1; round <= 4; round++) {
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < Length; i++) {
      struct Record *r = &records[i];
      r->tag = (char)i;
      r->real = 0.5 * i + round;
      r->small = (short)(i - round);
      r->number = i * 1000 + round;
      r->big = (long)i << 33;
      r->ratio = 0.25f * (float)i;
      allocated[i] = *r;
      allocated[i].number++;
    }
#pragma omp parallel for schedule(static, 3)
    for (int i = 0; i < Length; i++) {
      const struct Record *r = &records[Length - 1 - i];
      const int k = Length - 1 - i;
      expectInteger("tag", k, (char)k, r->tag);
      expectReal("real", k, 0.5 * k + round, r->real);
      expectInteger("small", k, k - round, r->small);
      expectInteger("number", k, k * 1000 + round, r->number);
      expectInteger("big", k, (long)k << 33, r->big);
      expectReal("ratio", k, 0.25 * k, r->ratio);
      expectInteger("copied number", k, k * 1000 + round + 1, allocated[k].number);
      expectReal("copied real", k, 0.5 * k + round, allocated[k].real);
    }
  }
  // Eight bytes at every offset of a line, each written by another thread; between them three bytes
  // of others.
  enum { Pitch = 11, Cells = 600 };
  unsigned char *bytes = calloc(Cells, Pitch);
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < Cells; i++) {
    const unsigned long value = 0x0102030405060708ul * (unsigned long)(i + 1);
    memcpy(bytes + (long)i * Pitch, &value, sizeof value);
  }
#pragma omp parallel for schedule(static, 4)
  for (int i = 0; i < Cells; i++) {
    unsigned long value;
    memcpy(&value, bytes + (long)i * Pitch, sizeof value);
    expectInteger("eight bytes", i, (long)(0x0102030405060708ul * (unsigned long)(i + 1)),
                  (long)value);
    for (int k = 8; k < Pitch; k++)
      expectInteger("byte between", i, 0, bytes[(long)i * Pitch + k]);
  }
  free(bytes);
  free(allocated);
  return finish();
}
