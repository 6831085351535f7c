// Neighbouring 2-byte values, and values of 2 bytes that lie at odd addresses, are written by
// different threads.
#include "report.h"
#include <omp.h>
#include <string.h>

enum { Length = 1500, Rounds = 10 };

static unsigned short aligned[Length];
static unsigned char odd[2 * Length + 1];

int main(void) {
  for (int round = 0; round < Rounds; round++) {
#pragma omp parallel
    {
      const int me = omp_get_thread_num(), threads = omp_get_num_threads();
      for (int i = me; i < Length; i += threads) {
        const unsigned short value = (unsigned short)(i * 41 + round * 257);
        aligned[i] = value;
        memcpy(&odd[2 * i + 1], &value, sizeof value);
      }
    }
#pragma omp parallel for schedule(static, 7)
    for (int i = 0; i < Length; i++) {
      unsigned short value;
      memcpy(&value, &odd[2 * i + 1], sizeof value);
      expectInteger("aligned value", i, (unsigned short)(i * 41 + round * 257), aligned[i]);
      expectInteger("value at an odd address", i, (unsigned short)(i * 41 + round * 257), value);
    }
  }
  expectInteger("byte before the values", 0, 0, odd[0]);
  return finish();
}
