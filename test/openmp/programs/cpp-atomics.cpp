// RUN: %build-cpp
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Atomics of C++ beside those of OpenMP: std::atomic of every size with every order, atomic_ref-like
// builtins, fences, flags, shared_ptr counts, in members, vectors and on the stack.
#include "check.h"
#include <atomic>
#include <cstdint>
#include <memory>
#include <omp.h>
#include <vector>

struct Small {
  short a, b;
};
struct Wide {
  long a, b;
};
template <class T> struct Counters {
  T before = 1;
  std::atomic<T> value{0};
  T after = 2;
};
static std::atomic<Wide> wide;
static std::atomic_flag flag = ATOMIC_FLAG_INIT;
static long guarded;

template <class T> static int hammer(T per) {
  Counters<T> counters;
  std::unique_ptr<std::atomic<T>[]> heap(new std::atomic<T>[9]());
  int threads = 0;
#pragma omp parallel reduction(+ : threads)
  {
    threads++;
    for (int i = 0; i < per; i++) {
      counters.value.fetch_add(1, std::memory_order_relaxed);
      counters.value++;
      heap[i % 9].fetch_sub(1, std::memory_order_acq_rel);
      T expected = heap[8].load(std::memory_order_acquire);
      while (!heap[8].compare_exchange_weak(expected, expected + 2, std::memory_order_acq_rel))
        ;
    }
  }
  T sum = 0;
  for (int i = 0; i < 9; i++)
    sum += heap[i];
  return (counters.value != T(2 * per * threads)) + (sum != T(per * threads)) * 2 + (counters.before != 1) * 4 +
         (counters.after != 2) * 8;
}

int main() {
  EXPECT_EQUAL(0, hammer<std::int8_t>(9));
  EXPECT_EQUAL(0, hammer<std::uint16_t>(20));
  EXPECT_EQUAL(0, hammer<int>(20));
  EXPECT_EQUAL(0, hammer<unsigned long>(20));
  EXPECT_EQUAL(0, hammer<std::int64_t>(20));

  std::atomic<Small> small{{0, 0}};
  std::atomic<bool> go{false};
  std::atomic<double> d{0};
  std::atomic<int *> pointer{nullptr};
  int array[100] = {0}, threads = 0, wrong = 0;
  auto shared = std::make_shared<int>(5);
  std::vector<std::shared_ptr<int>> copies(40);
  int plain = 0;
  long published = 0;
#pragma omp parallel reduction(+ : wrong)
  {
#pragma omp single
    {
      threads = omp_get_num_threads();
      pointer = array; // 10 elements for each thread of at most 10
    }
    for (int i = 0; i < 10; i++) {
      Small s = small.load();
      while (!small.compare_exchange_strong(s, Small{short(s.a + 1), short(s.b - 1)}))
        ;
      Wide w = wide.load();
      while (!wide.compare_exchange_weak(w, Wide{w.a + 1, w.b - 2}))
        ;
      double x = d.load();
      while (!d.compare_exchange_weak(x, x + .5))
        ;
      *pointer.fetch_add(1) += 1;
      while (flag.test_and_set(std::memory_order_acquire))
        ;
      guarded++;
      flag.clear(std::memory_order_release);
      __atomic_fetch_add(&plain, 1, __ATOMIC_SEQ_CST);
      __sync_fetch_and_add(&plain, 1);
    }
#pragma omp barrier
    // Published by fences.
    if (omp_get_thread_num() == 0) {
      published = 77;
      std::atomic_thread_fence(std::memory_order_release);
      go.store(true, std::memory_order_relaxed);
    } else {
      while (!go.load(std::memory_order_relaxed))
        ;
      std::atomic_thread_fence(std::memory_order_acquire);
      wrong += published != 77;
    }
#pragma omp for
    for (int i = 0; i < 40; i++)
      copies[i] = shared;
  }
  EXPECT_EQUAL(0, wrong);
  EXPECT_EQUAL(10 * threads, small.load().a);
  EXPECT_EQUAL(-10 * threads, small.load().b);
  EXPECT_EQUAL(10 * threads, wide.load().a);
  EXPECT_EQUAL(-20 * threads, wide.load().b);
  EXPECT(d == 5. * threads);
  EXPECT_EQUAL(10 * threads, guarded);
  EXPECT_EQUAL(20 * threads, plain);
  for (int i = 0; i < 100; i++)
    EXPECT_EQUAL(i < 10 * threads, array[i]);
  EXPECT_EQUAL(41, shared.use_count());
#pragma omp parallel for schedule(dynamic, 3)
  for (int i = 0; i < 40; i++)
    copies[i].reset();
  EXPECT_EQUAL(1, shared.use_count());
  return checkResult();
}
