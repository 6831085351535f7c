// call_once, shared_mutex, recursive_mutex, timed mutex, scoped_lock, condition_variable in a
// region.
#include "../report.h"
#include <condition_variable>
#include <map>
#include <mutex>
#include <omp.h>
#include <shared_mutex>
#include <string>
#include <vector>
int main() {
  std::once_flag once;
  int made = 0, depth = 0, timed = 0;
  std::shared_mutex sm;
  std::recursive_mutex rm;
  std::timed_mutex tm;
  std::mutex a, b;
  std::map<int, std::string> cache;
  long x = 0, y = 0;
  std::condition_variable cv;
  std::mutex cm;
  int arrived = 0;
  std::condition_variable_any cva;
#pragma omp parallel
  {
    std::call_once(once, [&] { made += 7; });
    expectInteger("made", 0, 7, made);
    for (int i = 0; i < 30; i++) {
      {
        std::shared_lock l(sm);
        auto it = cache.find(i);
        if (it != cache.end()) {
          expectInteger("cache", i, 1, it->second == std::to_string(i));
          continue;
        }
      }
      std::unique_lock l(sm);
      cache.try_emplace(i, std::to_string(i));
    }
    {
      std::lock_guard l(rm);
      {
        std::lock_guard k(rm);
        depth++;
      }
    }
    {
      if (omp_get_thread_num() % 2) {
        std::scoped_lock l(a, b);
        x++;
        y--;
      } else {
        std::scoped_lock l(b, a);
        x++;
        y--;
      }
    }
    {
      using namespace std::chrono_literals;
      while (!tm.try_lock_for(1ms)) {
      }
      timed++;
      tm.unlock();
    }
    std::unique_lock l(cm);
    arrived++;
    cv.notify_all();
    cv.wait(l, [&] { return arrived >= omp_get_num_threads(); });
    arrived += 100;
    cva.notify_all();
    const int n = omp_get_num_threads();
    cva.wait(l, [&] { return arrived == n * 101; });
#pragma omp atomic
    x += 1000;
  }
  expectInteger("x + 1000 y", 0, x % 1000 * 1001, x);
  expectInteger("depth", 0, x / 1000, depth);
  return finish();
}
