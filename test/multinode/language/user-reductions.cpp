// declare reduction over std::vector, std::string length, a struct with a pointer free body,
// std::complex.
#include "../report.h"
#include <algorithm>
#include <complex>
#include <omp.h>
#include <vector>
struct MinMax {
  long min = 1 << 30, max = -1, n = 0;
  void add(long x) {
    min = std::min(min, x);
    max = std::max(max, x);
    n++;
  }
  void merge(const MinMax &o) {
    min = std::min(min, o.min);
    max = std::max(max, o.max);
    n += o.n;
  }
};
#pragma omp declare reduction(merge:MinMax : omp_out.merge(omp_in)) initializer(omp_priv = MinMax())
#pragma omp declare reduction(+ : std::complex<double> : omp_out += omp_in)                        \
    initializer(omp_priv = 0)
#pragma omp declare reduction(add : std::vector<long> : std::transform(                            \
        omp_out.begin(), omp_out.end(), omp_in.begin(), omp_out.begin(), std::plus<long>()))       \
    initializer(omp_priv = std::vector<long>(omp_orig.size()))
int main() {
  MinMax mm;
  std::complex<double> c = 1;
  std::vector<long> h(40, 1);
  const int N = 1000;
#pragma omp parallel for reduction(merge : mm) reduction(+ : c) reduction(add : h)                 \
    schedule(static, 7)
  for (int i = 0; i < N; i++) {
    mm.add((i * 37) % 1009);
    c += std::complex<double>(i, -i);
    h[i % 40] += i;
  }
  long lo = 1 << 30, hi = -1;
  for (int i = 0; i < N; i++) {
    lo = std::min(lo, (i * 37) % 1009L);
    hi = std::max(hi, (i * 37) % 1009L);
  }
  expectInteger("min", 0, lo, mm.min);
  expectInteger("max", 0, hi, mm.max);
  expectInteger("n", 0, N, mm.n);
  expectReal("re", 0, 1 + N * (N - 1) / 2.0, c.real());
  expectReal("im", 0, -N * (N - 1) / 2.0, c.imag());
  for (int k = 0; k < 40; k++) {
    long w = 1;
    for (int i = k; i < N; i += 40)
      w += i;
    expectInteger("h", k, w, h[k]);
  }
  return finish();
}
