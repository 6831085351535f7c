// latch, barrier and semaphore of C++20 between threads of a team.
#include "../report.h"
#include <barrier>
#include <latch>
#include <omp.h>
#include <semaphore>
#include <vector>
int main() {
  int threads = 1;
#pragma omp parallel
#pragma omp single
  threads = omp_get_num_threads();
  std::latch latch(threads);
  long phases = 0;
  std::barrier bar(threads, [&]() noexcept { phases++; });
  std::counting_semaphore<4> sem(1);
  std::vector<long> v(threads);
  long guarded = 0;
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    v[me] = me + 1;
    latch.arrive_and_wait();
    long s = 0;
    for (long x : v)
      s += x;
    expectInteger("latch", me, threads * (threads + 1L) / 2, s);
    for (int r = 0; r < 5; r++) {
      bar.arrive_and_wait();
      expectInteger("phase", r, r * 2 + 1, phases);
      bar.arrive_and_wait();
    }
    for (int r = 0; r < 5; r++) {
      sem.acquire();
      guarded++;
      sem.release();
    }
  }
  expectInteger("guarded", 0, 5L * threads, guarded);
  return finish();
}
