// std::atomic wait and notify, atomic_flag wait: a turn goes round the threads.
#include "../report.h"
#include <atomic>
#include <omp.h>
int main() {
  std::atomic<int> turn{0};
  long value = 0;
  int threads = 1;
  std::atomic_flag go;
  const int R = 10;
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), n = omp_get_num_threads();
    if (me == 0) {
      threads = n;
      value = 5;
      go.test_and_set();
      go.notify_all();
    } else {
      go.wait(false);
    }
    for (int r = 0; r < R; r++) {
      const int mine = r * n + me;
      for (int t; (t = turn.load()) != mine;)
        turn.wait(t);
      expectInteger("value", mine, mine + 5, value);
      value++;
      turn.store(mine + 1);
      turn.notify_all();
    }
  }
  expectInteger("value at the end", 0, R * threads + 5, value);
  return finish();
}
