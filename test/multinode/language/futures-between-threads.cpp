// promise and future between threads of a team; latch, barrier, semaphore of C++20.
#include "../report.h"
#include <future>
#include <omp.h>
#include <string>
#include <vector>
int main() {
  constexpr int N = 17;
  std::vector<std::promise<std::string>> p(N);
  std::vector<std::future<std::string>> f;
  for (auto &x : p)
    f.push_back(x.get_future());
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), n = omp_get_num_threads();
    p[me].set_value("promised by " + std::to_string(me));
    const int other = (me + 1) % n;
    expectInteger("future", me, 1, f[other].get() == "promised by " + std::to_string(other));
  }
  return finish();
}
