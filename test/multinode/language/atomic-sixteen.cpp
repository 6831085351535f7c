// Atomics of 16 bytes: libatomic's functions.
#include "../report.h"
#include <atomic>
#include <omp.h>
struct alignas(16) Sixteen {
  long a, b;
};
static std::atomic<Sixteen> sixteen;
int main() {
  constexpr int R = 40;
  int threads = 1;
#pragma omp parallel
  {
#pragma omp single
    threads = omp_get_num_threads();
    for (int i = 0; i < R; i++) {
      Sixteen s = sixteen.load();
      while (!sixteen.compare_exchange_strong(s, Sixteen{s.a + 1, s.b - 1})) {
      }
    }
  }
  expectInteger("sixteen", 0, (long)threads * R, sixteen.load().a);
  expectInteger("sixteen", 1, -(long)threads * R, sixteen.load().b);
  return finish();
}
