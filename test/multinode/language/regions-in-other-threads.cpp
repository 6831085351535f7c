// Parallel regions started by a std::thread of node 0, one after the other, and by two at once.
#include "../report.h"
#include <omp.h>
#include <thread>
#include <vector>
static long sumOf(std::vector<long> &v) {
  long s = 0;
#pragma omp parallel for reduction(+ : s) schedule(static, 1)
  for (std::size_t i = 0; i < v.size(); i++) {
    v[i]++;
    s += v[i];
  }
  return s;
}
int main() {
  std::vector<long> a(300, 0), b(400, 0);
  long x = 0, y = 0;
  expectInteger("main", 0, 300, sumOf(a));
  std::thread([&] { x = sumOf(a); }).join();
  expectInteger("thread", 0, 600, x);
  std::thread t([&] {
    for (int i = 0; i < 5; i++)
      x = sumOf(a);
  }),
      u([&] {
        for (int i = 0; i < 5; i++)
          y = sumOf(b);
      });
  t.join();
  u.join();
  expectInteger("first", 0, 300 * 7, x);
  expectInteger("second", 0, 400 * 5, y);
  expectInteger("main again", 0, 300 * 8, sumOf(a));
  return finish();
}
