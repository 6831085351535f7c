// Atomics wider than 8 bytes: libatomic's functions.
#include "../report.h"
#include <atomic>
#include <omp.h>
struct Sixteen {
  long a, b;
};
struct Forty {
  long v[5];
};
struct Three {
  char c[3];
};
static std::atomic<Forty> forty;
static std::atomic<Three> three;
int main() {
  constexpr int R = 40;
  int threads = 1;
#pragma omp parallel
  {
#pragma omp single
    threads = omp_get_num_threads();
    for (int i = 0; i < R; i++) {
      Forty f = forty.load(), g;
      do {
        g = f;
        for (long &x : g.v)
          x++;
      } while (!forty.compare_exchange_strong(f, g));
      Three t = three.load(), u;
      do {
        u = t;
        for (char &x : u.c)
          x++;
      } while (!three.compare_exchange_strong(t, u));
    }
  }
  for (int k = 0; k < 5; k++)
    expectInteger("forty", k, (long)threads * R, forty.load().v[k]);
  for (int k = 0; k < 3; k++)
    expectInteger("three", k, (char)(threads * R), three.load().c[k]);
  return finish();
}
