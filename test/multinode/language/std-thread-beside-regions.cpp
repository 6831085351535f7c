// std::thread, async, future, mutex, condition_variable in serial code, beside parallel regions.
#include "../report.h"
#include <condition_variable>
#include <future>
#include <mutex>
#include <numeric>
#include <omp.h>
#include <thread>
#include <vector>
int main() {
  std::vector<long> data(5000);
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < 5000; i++)
    data[i] = i;
  long sums[4] = {};
  {
    std::vector<std::thread> t;
    for (int k = 0; k < 4; k++)
      t.emplace_back([&, k] {
        for (int i = k; i < 5000; i += 4) {
          sums[k] += data[i];
          data[i]++;
        }
      });
    for (auto &x : t)
      x.join();
  }
  expectInteger("sum", 0, 5000L * 4999 / 2, sums[0] + sums[1] + sums[2] + sums[3]);
  auto f =
      std::async(std::launch::async, [&] { return std::accumulate(data.begin(), data.end(), 0L); });
  expectInteger("async", 0, 5000L * 5001 / 2, f.get());
  std::mutex m;
  std::condition_variable c;
  int turn = 0;
  long total = 0;
  std::thread other([&] {
    for (int i = 0; i < 50; i++) {
      std::unique_lock l(m);
      c.wait(l, [&] { return turn % 2 == 1; });
      turn++;
      c.notify_one();
    }
  });
  for (int i = 0; i < 50; i++) {
    std::unique_lock l(m);
    c.wait(l, [&] { return turn % 2 == 0; });
    turn++;
    c.notify_one();
  }
  other.join();
  expectInteger("turn", 0, 100, turn);
  std::promise<std::vector<long>> p;
  auto pf = p.get_future();
  std::jthread beside([&] {
    std::vector<long> v(data.begin(), data.begin() + 100);
    p.set_value(v);
  });
#pragma omp parallel reduction(+ : total)
  {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < 5000; i++)
      total += data[i];
    std::lock_guard l(m);
    turn++;
  }
  expectInteger("total", 0, 5000L * 5001 / 2, total);
  expectInteger("future", 0, 100, pf.get()[99]);
  std::thread([&] {
    for (long &x : data)
      x *= 2;
  }).join();
#pragma omp parallel for schedule(static, 7)
  for (int i = 0; i < 5000; i++)
    expectInteger("doubled", i, 2 * (i + 1), data[i]);
  return finish();
}
