// Algorithms of the library on parts of shared vectors by each thread, and ranges over the whole.
#include "../report.h"
#include <algorithm>
#include <numeric>
#include <omp.h>
#include <queue>
#include <ranges>
#include <string>
#include <vector>
static unsigned mix(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  return x ^ x >> 16;
}
int main() {
  constexpr int N = 6000, P = 12, L = N / P;
  std::vector<unsigned> a(N), b(N), c(N), d(N);
  std::vector<std::string> s(N / 10);
  std::vector<std::pair<int, int>> pairs(N);
  std::vector<bool> flags(N);
  std::priority_queue<unsigned> queue;
  unsigned long sum = 0;
#pragma omp parallel
  {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < N; i++) {
      a[i] = mix(i);
      pairs[i] = {int(mix(i) % 50), i};
    }
#pragma omp for schedule(static, 1)
    for (int i = 0; i < N / 10; i++)
      s[i] = std::to_string(mix(i)) + " with some tail";
#pragma omp for schedule(static, 1)
    for (int p = 0; p < P; p++) {
      auto f = a.begin() + p * L, l = f + L;
      std::copy(f, l, b.begin() + p * L);
      std::sort(b.begin() + p * L, b.begin() + (p + 1) * L);
      std::transform(f, l, c.begin() + p * L, [](unsigned x) { return x ^ 5; });
      std::partial_sum(f, l, d.begin() + p * L);
      std::stable_sort(pairs.begin() + p * L, pairs.begin() + (p + 1) * L,
                       [](auto &x, auto &y) { return x.first < y.first; });
      std::ranges::sort(s.begin() + p * L / 10, s.begin() + (p + 1) * L / 10);
      std::nth_element(c.begin() + p * L, c.begin() + p * L + L / 2, c.begin() + (p + 1) * L);
#pragma omp critical
      for (int i = 0; i < 20; i++)
        queue.push(a[p * L + i]);
#pragma omp atomic
      sum += std::accumulate(f, l, 0ul);
    }
#pragma omp single
    {
      for (int w = L; w < N; w += L)
        std::inplace_merge(b.begin(), b.begin() + w, b.begin() + w + L);
    }
    std::vector<unsigned> sorted(a);
    std::sort(sorted.begin(), sorted.end());
    expectInteger("merged", omp_get_thread_num(), 1, sorted == b);
    expectInteger("equal range", 0, 1, std::ranges::binary_search(b, mix(77)));
    auto view = a | std::views::filter([](unsigned x) { return x % 2; }) |
                std::views::transform([](unsigned x) { return x / 2ul; });
    unsigned long t = 0, u = 0;
    for (auto x : view)
      t += x;
    for (int i = 0; i < N; i++)
      if (mix(i) % 2)
        u += mix(i) / 2ul;
    expectInteger("view", 0, (long)u, (long)t);
    for (int p = 0; p < P; p++) {
      expectInteger("stable", p, 1,
                    std::is_sorted(pairs.begin() + p * L, pairs.begin() + (p + 1) * L));
      expectInteger("strings", p, 1,
                    std::is_sorted(s.begin() + p * L / 10, s.begin() + (p + 1) * L / 10));
      std::vector<unsigned> q;
      for (int i = 0; i < L; i++)
        q.push_back(mix(p * L + i) ^ 5);
      std::sort(q.begin(), q.end());
      expectInteger("nth", p, q[L / 2], c[p * L + L / 2]);
      unsigned acc = 0;
      for (int i = 0; i < L; i++)
        acc += mix(p * L + i);
      expectInteger("partial", p, acc, d[p * L + L - 1]);
    }
  }
  unsigned long want = 0;
  for (int i = 0; i < N; i++)
    want += mix(i);
  expectInteger("sum", 0, (long)want, (long)sum);
  std::vector<unsigned> all;
  for (int p = 0; p < P; p++)
    for (int i = 0; i < 20; i++)
      all.push_back(mix(p * L + i));
  std::sort(all.rbegin(), all.rend());
#pragma omp parallel
  {
    bool done = false;
    while (!done)
#pragma omp critical
    {
      done = queue.empty();
      if (!done) {
        expectInteger("queue", 0, all[all.size() - queue.size()], queue.top());
        queue.pop();
      }
    }
#pragma omp for schedule(static)
    for (int w = 0; w < N / 1000; w++) { /* whole words of vector<bool> are not shared: guarded */
#pragma omp critical
      for (int i = 0; i < 1000; i++)
        flags[w * 1000 + i] = (i % 3 == 0);
    }
    expectInteger("flags", 0, N / 1000 * 334, std::count(flags.begin(), flags.end(), true));
#pragma omp barrier
#pragma omp single
    {
      std::reverse(a.begin(), a.end());
      std::rotate(a.begin(), a.begin() + 10, a.end());
      a.erase(std::unique(a.begin(), a.end()), a.end());
    }
    expectInteger("rotated", 0, mix(N - 11), a[0]);
#pragma omp barrier
#pragma omp master
    {
      a.insert(a.end(), b.begin(), b.end());
      std::iota(a.begin(), a.end(), 3u);
    }
#pragma omp barrier
    expectInteger("iota", 0, 3u + 2 * N - 1, a.back());
  }
  return finish();
}
