// Atomic update, read, write, capture and compare on integers of 1 to 8 bytes, float and double,
// next to each other in one struct.
#include "report.h"
#include <omp.h>

enum { Steps = 60 };

static struct {
  signed char c;
  unsigned char written;
  short s;
  int i;
  unsigned bits;
  long l;
  float f;
  double d;
  int least;
  long most;
  double product;
  int tickets;
  int exchanged;
} shared = {.least = 1 << 30, .most = -1, .product = 1};

static int taken[64 * Steps];

int main(void) {
  int team = 1;
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
#pragma omp single
    team = threads;
    for (int step = 0; step < Steps; step++) {
      const int value = (me * 37 + step * 11) % 1000;
#pragma omp atomic
      shared.c++;
#pragma omp atomic update
      shared.s -= 2;
#pragma omp atomic
      shared.i += step;
#pragma omp atomic
      shared.bits ^= 1u << (step + me) % 32;
#pragma omp atomic
      shared.l += 1l << 33;
#pragma omp atomic
      shared.f += 0.5f;
#pragma omp atomic
      shared.d = shared.d + 0.25;
#pragma omp atomic compare
      if (value < shared.least)
        shared.least = value;
#pragma omp atomic compare
      if (shared.most < value) {
        shared.most = value;
      }
      if (me == 0 && step < 20) {
#pragma omp atomic
        shared.product *= 2;
      }
      int ticket;
#pragma omp atomic capture
      ticket = shared.tickets++;
      taken[ticket]++;
      int before;
#pragma omp atomic capture
      {
        before = shared.exchanged;
        shared.exchanged = me + 1;
      }
      expectInteger("exchanged value", step, 1, before >= 0 && before <= threads);
      if (me == threads - 1) {
#pragma omp atomic write
        shared.written = (unsigned char)step;
      }
      unsigned char seen;
#pragma omp atomic read
      seen = shared.written;
      expectInteger("value that somebody wrote", step, 1, seen < Steps);
    }
  }
  unsigned bits = 0;
  long least = 1 << 30, most = -1;
  for (int t = 0; t < team; t++)
    for (int step = 0; step < Steps; step++) {
      const int value = (t * 37 + step * 11) % 1000;
      bits ^= 1u << (step + t) % 32;
      least = value < least ? value : least;
      most = value > most ? value : most;
    }
  const int n = team * Steps;
  expectInteger("char", 0, (signed char)n, shared.c);
  expectInteger("short", 0, -2 * n, shared.s);
  expectInteger("int", 0, team * (Steps * (Steps - 1) / 2), shared.i);
  expectInteger("bits", 0, bits, shared.bits);
  expectInteger("long", 0, (long)n << 33, shared.l);
  expectReal("float", 0, 0.5 * n, shared.f);
  expectReal("double", 0, 0.25 * n, shared.d);
  expectInteger("least", 0, least, shared.least);
  expectInteger("most", 0, most, shared.most);
  expectReal("product", 0, 1048576, shared.product);
  expectInteger("written", 0, Steps - 1, shared.written);
  for (int i = 0; i < n; i++)
    expectInteger("ticket taken once", i, 1, taken[i]);
  return finish();
}
