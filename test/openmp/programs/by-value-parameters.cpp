// RUN: %build-cpp
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Structures that functions get by value, in memory, are shared by regions in these functions: shared and
// firstprivate, behind other parameters, handed on by reference, and changed first. Each call passes others.
#include "check.h"
#include <omp.h>
#include <vector>

namespace {
struct Box {
  long side[3];
};
struct View {
  const double *begin, *end;
  long step;
};
constexpr int Most = 64;
long seen[Most * 64];

__attribute__((noinline)) long sharedBox(Box box) {
  long sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    seen[64 * omp_get_thread_num()] = box.side[0];
    sum += box.side[1] + box.side[2];
  }
  return sum;
}
__attribute__((noinline)) long privateBox(Box box) {
  long sum = 0;
#pragma omp parallel firstprivate(box) reduction(+ : sum)
  {
    box.side[0] += omp_get_thread_num();
    sum += box.side[0];
  }
  return sum;
}
__attribute__((noinline)) double sumOf(int, long, double, void *, int, int, int, View first, View second) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < first.end - first.begin; i += 1)
    sum += first.begin[i] * double(second.step) + second.begin[i];
  return sum;
}
__attribute__((noinline)) long sumByReference(const Box &box) {
  long sum = 0;
#pragma omp parallel reduction(+ : sum)
  sum += box.side[2];
  return sum;
}
__attribute__((noinline)) long handedOn(Box box) { return sumByReference(box); }
__attribute__((noinline)) long changedFirst(Box box) {
  box.side[2]++;
  return sumByReference(box);
}
} // namespace

int main() {
  const long threads = omp_get_max_threads();
  std::vector<double> values(100, 1.0), others(100, 2.0);
  for (long k = 0; k < 20; ++k) {
    EXPECT_EQUAL(threads * (2 * k + 3), sharedBox({{k, k + 1, k + 2}}));
    for (int thread = 0; thread < threads; ++thread)
      EXPECT_EQUAL(k, seen[64 * thread]);
    EXPECT_EQUAL(threads * k + threads * (threads - 1) / 2, privateBox({{k, 0, 0}}));
    EXPECT_EQUAL(threads * k, handedOn({{0, 0, k}}));
    EXPECT_EQUAL(threads * (k + 1), changedFirst({{0, 0, k}}));
    const View first{values.data(), values.data() + values.size() - k, 1};
    const View second{others.data(), others.data() + others.size(), k};
    EXPECT(sumOf(1, 2, 3, nullptr, 4, 5, 6, first, second) == double((100 - k) * (k + 2)));
  }
  return checkResult();
}
