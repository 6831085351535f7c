// std::thread started by each thread of a team, working on shared data; thread_local in them.
#include "../report.h"
#include <mutex>
#include <omp.h>
#include <thread>
#include <vector>
static thread_local long tl = 4;
int main() {
  std::vector<long> v(1000);
  std::vector<std::vector<long>> own(16);
  std::mutex m;
  long total = 0;
  int threads = 1;
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), n = omp_get_num_threads();
#pragma omp single
    threads = n;
    for (int r = 0; r < 3; r++) {
      long local[8] = {};
      std::thread a([&] {
        for (int i = me; i < 1000; i += n)
          v[i] += i;
        tl++;
        local[3] = tl;
      });
      std::thread b([&] {
        own[me].assign(100, me + r);
        std::lock_guard l(m);
        total += me;
      });
      a.join();
      b.join();
      expectInteger("local", me, 5, local[3]);
      expectInteger("own", me, me + r, own[me][99]);
#pragma omp barrier
      for (int i = 0; i < 1000; i++)
        expectInteger("v", i, i * (r + 1), v[i]);
      expectInteger("others", me, (me + 1) % n + r, own[(me + 1) % n][50]);
#pragma omp barrier
    }
    expectInteger("thread local", me, 4, tl);
  }
  expectInteger("total", 0, 3L * threads * (threads - 1) / 2, total);
  return finish();
}
