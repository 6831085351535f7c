// Bits are set one after the other in bytes that lie between bytes of other threads; some intervals
// set a bit that is set already, or clear and set it again, so that the bytes sent differ from the
// bytes stored.
#include "report.h"
#include <omp.h>

enum { Length = 777, Bits = 8 };

static unsigned char pattern[Length];

static int owner(int i, int threads) { return (i * 5 + i / 13) % threads; }

int main(void) {
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    for (int bit = 0; bit < Bits; bit++) {
      for (int i = 0; i < Length; i++) {
        if (owner(i, threads) != me)
          continue;
        if ((i + bit) % 3 == 0)
          pattern[i] |= (unsigned char)(1 << bit);
        if ((i + bit) % 3 == 1) {
          pattern[i] |= (unsigned char)(1 << bit);
          pattern[i] &= (unsigned char)~(1 << bit);
        }
        if (bit && (pattern[i] & (1 << (bit - 1))))
          pattern[i] |= (unsigned char)(1 << (bit - 1));
      }
#pragma omp barrier
      for (int i = 0; i < Length; i++) {
        int expected = 0;
        for (int b = 0; b <= bit; b++)
          expected |= (i + b) % 3 == 0 ? 1 << b : 0;
        expectInteger("pattern", i, expected, pattern[i]);
      }
#pragma omp barrier
    }
  }
  return finish();
}
