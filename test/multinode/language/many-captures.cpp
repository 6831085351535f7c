// Regions in lambdas, member functions, templates and constructors, that capture many variables of
// all kinds, references to references, structured bindings, arrays, this.
#include "../report.h"
#include <array>
#include <omp.h>
#include <tuple>
#include <utility>
#include <vector>
template <class T, std::size_t N> struct Grid {
  std::array<std::array<T, N>, N> c{};
  T total{};
  Grid() {
#pragma omp parallel for schedule(static, 1)
    for (std::size_t i = 0; i < N; i++)
      fill(i);
  }
  void fill(std::size_t i) {
    for (std::size_t k = 0; k < N; k++)
      c[i][k] = T(i * N + k);
  }
  template <class F> T sum(F f) {
    T s{};
#pragma omp parallel for reduction(+ : s)
    for (std::size_t i = 0; i < N; i++)
      for (auto &x : c[i])
        s += f(x);
    total = s;
    return s;
  }
};
int main() {
  Grid<double, 33> g;
  expectReal("grid", 0, 33.0 * 33 * (33 * 33 - 1) / 2 * 2, g.sum([](double x) { return 2 * x; }));
  expectReal("total", 0, 33.0 * 33 * (33 * 33 - 1), g.total);
  char a = 1;
  short b = 2;
  int c = 3;
  long d = 4;
  float e = 5;
  double f = 6;
  long double h = 7;
  bool i = true;
  int *p = &c;
  int &r = c;
  int arr[3][4] = {};
  std::vector<int> v(5, 1);
  int x = 8;
  double y = 9.5;
  unsigned u = 10;
  const int k = 11;
  static int st = 12;
  std::tuple<int, long> t{13, 14};
  const char *s = "fifteen";
  void (*fp)(int *) = [](int *q) { *q += 1; };
  __int128 w = 16;
  auto run = [&, copy = v](int by) mutable {
    long sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
      sum += a + b + c + d + (long)e + (long)f + (long)h + i + *p + r + arr[2][3] + v[4] + x +
             (long)y + u + k + st + std::get<1>(t) + s[0] + (long)w + copy[0] + by;
#pragma omp barrier
#pragma omp critical
      {
        a++;
        b++;
        r++;
        d++;
        e++;
        f++;
        h++;
        arr[2][3]++;
        v[4]++;
        u++;
        st++;
        std::get<1>(t)++;
        w++;
        copy[0]++;
        fp(&arr[1][1]);
      }
    }
    return sum;
  };
  const int n = omp_get_max_threads();
  const long one =
      1 + 2 + 3 + 4 + 5 + 6 + 7 + 1 + 3 + 3 + 0 + 1 + 8 + 9 + 10 + 11 + 12 + 14 + 'f' + 16 + 1 + 5;
  expectInteger("first", 0, n * one, run(5));
  expectInteger("second", 0, n * (one + 16L * n), run(5));
  expectInteger("pointer", 0, 2 * n, arr[1][1]);
  expectInteger("c", 0, 3 + 2 * n, c);
  return finish();
}
