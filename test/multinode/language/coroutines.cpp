// Generators (coroutines) made by one thread and resumed by others.
#include "../report.h"
#include <coroutine>
#include <omp.h>
#include <utility>
#include <vector>
struct Gen {
  struct promise_type {
    long value = 0;
    Gen get_return_object() {
      return Gen{std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(long v) {
      value = v;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { throw; }
  };
  std::coroutine_handle<promise_type> h;
  explicit Gen(std::coroutine_handle<promise_type> x) : h(x) {}
  Gen(Gen &&o) noexcept : h(std::exchange(o.h, {})) {}
  ~Gen() {
    if (h)
      h.destroy();
  }
  long next() {
    h.resume();
    return h.promise().value;
  }
};
static Gen squares(long base, const std::vector<long> &v) {
  long local[30] = {};
  for (long i = 0;; i++) {
    local[i % 30] = base + i * i;
    co_yield local[i % 30] + v[i % v.size()];
  }
}
int main() {
  constexpr int N = 24;
  std::vector<Gen> g;
  std::vector<long> v(10, 1000);
  for (int i = 0; i < N / 2; i++)
    g.push_back(squares(i, v));
#pragma omp parallel
  {
#pragma omp single
    for (int i = N / 2; i < N; i++)
      g.push_back(squares(i, v));
    for (int step = 0; step < 20; step++) {
#pragma omp for schedule(static, 1)
      for (int i = 0; i < N; i++) {
        const int k = (i + step) % N;
        expectInteger("yielded", k, k + (long)step * step + 1000, g[k].next());
      }
    }
  }
  return finish();
}
