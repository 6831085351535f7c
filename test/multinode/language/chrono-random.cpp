// std::chrono values and std::random engines shared between threads.
#include "../report.h"
#include <algorithm>
#include <chrono>
#include <omp.h>
#include <random>
#include <vector>
int main() {
  using namespace std::chrono;
  std::mt19937_64 shared(7), serial(7);
  std::normal_distribution<double> nd(0, 1), nds(0, 1);
  constexpr int N = 400;
  std::vector<unsigned long> got(N);
  std::vector<double> gd(N);
  int next = 0;
  auto last = steady_clock::now();
  const auto start = last;
  std::vector<std::minstd_rand> engines(16);
  std::discrete_distribution<int> disc{1, 2, 3};
  std::vector<int> draws(N), perm(N);
#pragma omp parallel
  {
    for (bool done = false; !done;)
#pragma omp critical
    {
      for (int k = 0; k < 5 && next < N; k++, next++) {
        got[next] = shared();
        gd[next] = nd(shared);
        auto now = steady_clock::now();
        expectInteger("steady", next, 1, now >= last);
        last = now;
        draws[next] = disc(engines[next % 16]);
      }
      done = next == N;
    }
#pragma omp barrier
#pragma omp single
    {
      for (int i = 0; i < N; i++)
        perm[i] = i;
      std::shuffle(perm.begin(), perm.end(), shared);
    }
    std::vector<char> seen(N, 0);
    for (int x : perm)
      seen[x]++;
    for (char s : seen)
      expectInteger("perm", 0, 1, s);
    expectInteger("time", 0, 1, duration_cast<milliseconds>(steady_clock::now() - start) < 60s);
    const year_month_day ymd = 2024y / February / 29;
    expectInteger("day", 0, 19782, sys_days(ymd).time_since_epoch().count());
  }
  for (int i = 0; i < N; i++) {
    expectInteger("engine", i, 1, got[i] == serial());
    expectReal("normal", i, nds(serial), gd[i]);
  }
  std::vector<std::minstd_rand> e2(16);
  std::discrete_distribution<int> d2{1, 2, 3};
  for (int i = 0; i < N; i++)
    expectInteger("disc", i, d2(e2[i % 16]), draws[i]);
  return finish();
}
