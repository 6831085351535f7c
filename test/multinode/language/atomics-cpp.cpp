// std::atomic of all sizes, atomic_flag, atomic_ref, atomic<double>, cas loops.
#include "../report.h"
#include <atomic>
#include <omp.h>
#include <vector>
template <class T> static std::atomic<T> counter;
static std::atomic_flag flag = ATOMIC_FLAG_INIT;
static long guarded;
struct Four {
  short a, b;
};
struct Eight {
  int a, b;
  bool operator==(const Eight &) const = default;
};
template <class T> static void count(int n) {
  for (int i = 0; i < n; i++) {
    counter<T>.fetch_add(T(1));
  }
}
int main() {
  constexpr int R = 60;
  std::atomic<double> real{0};
  std::atomic<float> reals{0};
  std::atomic<Eight> pair{{0, 0}};
  std::atomic<Four> four{{0, 0}};
  std::atomic<unsigned> bits{0}, ored{0}, xored{0};
  std::atomic<bool> once{false};
  std::atomic<int> winners{0}, maximum{-1};
  std::atomic<long *> pointer;
  std::vector<long> target(4096);
  pointer = target.data();
  std::vector<double> refs(9, 0.0);
  std::vector<int> irefs(33, 0);
  int threads = 1;
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
#pragma omp single
    threads = omp_get_num_threads();
    count<char>(1);
    count<short>(R);
    count<int>(R);
    count<long>(R);
    count<unsigned char>(1);
    count<unsigned long>(R);
    for (int i = 0; i < R; i++) {
      double o = real.load();
      while (!real.compare_exchange_weak(o, o + 0.5)) {
      }
      reals.fetch_add(1.0f);
      Eight e = pair.load();
      while (!pair.compare_exchange_weak(e, Eight{e.a + 1, e.b - 1})) {
      }
      Four f = four.load();
      while (!four.compare_exchange_strong(f, Four{short(f.a + 1), short(f.b + 2)})) {
      }
      xored ^= 1u << (me % 32);
      std::atomic_ref<double>(refs[i % 9]).fetch_add(1.0, std::memory_order_relaxed);
      std::atomic_ref(irefs[(i * 5 + me) % 33])++;
      while (flag.test_and_set(std::memory_order_acquire)) {
      }
      guarded++;
      flag.clear(std::memory_order_release);
      int m = maximum.load();
      while (m < me * 100 + i && !maximum.compare_exchange_weak(m, me * 100 + i)) {
      }
      *pointer.fetch_add(1) = 1;
    }
    ored |= 1u << (me % 32);
    if (!once.exchange(true))
      winners++;
  }
  const long n = (long)threads * R;
  expectInteger("char", 0, (char)threads, counter<char>);
  expectInteger("short", 0, (short)n, counter<short>);
  expectInteger("int", 0, n, counter<int>);
  expectInteger("long", 0, n, counter<long>);
  expectInteger("ulong", 0, n, (long)counter<unsigned long>.load());
  expectReal("double", 0, n * .5, real);
  expectReal("float", 0, n, reals);
  expectInteger("pair", 0, n, pair.load().a);
  expectInteger("pair", 1, -n, pair.load().b);
  expectInteger("four", 0, (short)n, four.load().a);
  expectInteger("four", 1, (short)(2 * n), four.load().b);
  expectInteger("guarded", 0, n, guarded);
  expectInteger("winners", 0, 1, winners);
  expectInteger("maximum", 0, (threads - 1) * 100 + R - 1, maximum);
  expectInteger("ored", 0, (1u << threads) - 1, ored);
  expectInteger("xored", 0, 0, xored);
  double total = 0;
  for (double r : refs)
    total += r;
  expectReal("refs", 0, n, total);
  long it = 0;
  for (int r : irefs)
    it += r;
  expectInteger("irefs", 0, n, it);
  expectInteger("pointer", 0, n, pointer.load() - target.data());
  for (long i = 0; i < n; i++)
    expectInteger("target", i, 1, target[i]);
  return finish();
}
