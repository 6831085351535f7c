// RUN: %build-cpp
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Reductions declared for classes: constructors, members as combiner, templates, std::complex, types
// derived from each other, globals and references as list items.
#include "check.h"
#include <algorithm>
#include <complex>
#include <cstdint>
#include <omp.h>

class Vector {
public:
  Vector() = default;
  explicit Vector(double v) : x(v), y(2 * v), z(-v) {}
  Vector &operator+=(const Vector &o) {
    x += o.x, y += o.y, z += o.z;
    return *this;
  }
  double length() const { return x * x + y * y + z * z; }
  double x = 0, y = 0, z = 0;
};
#pragma omp declare reduction(+ : Vector : omp_out += omp_in)

template <class T, int N> struct Sums {
  T values[N];
  Sums() { std::fill(values, values + N, T()); }
  void merge(const Sums &o) {
    for (int i = 0; i < N; i++)
      values[i] += o.values[i];
  }
};
using IntSums = Sums<int, 33>;
using DoubleSums = Sums<double, 5>;
#pragma omp declare reduction(merge : IntSums, DoubleSums : omp_out.merge(omp_in))

#pragma omp declare reduction(+ : std::complex<double> : omp_out += omp_in) initializer(omp_priv = {0, 0})

struct Base {
  std::uint64_t hash = 0;
};
struct Derived : Base {
  int extra = 0;
};
#pragma omp declare reduction(mix : Base : omp_out.hash ^= omp_in.hash)

static int total;
namespace {
IntSums table;
}

template <class T> static T sumOf(int n) {
  T sum = T(), &reference = sum;
#pragma omp parallel for reduction(+ : reference)
  for (int i = 0; i < n; i++)
    reference += T(i);
  return sum;
}

int main() {
  Vector v(1);
  IntSums sums;
  DoubleSums doubles;
  std::complex<double> c(1, 1);
  Derived base;
#pragma omp parallel for reduction(+ : v, c) reduction(merge : sums, doubles) reduction(mix : base) schedule(dynamic, 11)
  for (int i = 0; i < 1000; i++) {
    v += Vector(i);
    sums.values[i % 33]++;
    doubles.values[i % 5] += .5;
    c += std::complex<double>(i, -i);
    base.hash ^= i * 0x9e3779b97f4a7c15u;
  }
  std::uint64_t hash = 0;
  for (int i = 0; i < 1000; i++)
    hash ^= i * 0x9e3779b97f4a7c15u;
  EXPECT(v.x == 499501 && v.y == 2 * 499501. && v.z == -499501);
  for (int i = 0; i < 33; i++)
    EXPECT_EQUAL(i < 10 ? 31 : 30, sums.values[i]);
  for (int i = 0; i < 5; i++)
    EXPECT(doubles.values[i] == 100);
  EXPECT(c == std::complex<double>(499501, 1 - 499500));
  EXPECT(base.hash == hash && base.extra == 0);

  EXPECT_EQUAL(4950, sumOf<int>(100));
  EXPECT_EQUAL(4950, sumOf<unsigned long>(100));
  EXPECT(sumOf<float>(100) == 4950);
  EXPECT(sumOf<long double>(100) == 4950);
  EXPECT(sumOf<Vector>(100).y == 9900);
  EXPECT(sumOf<std::complex<double>>(100) == std::complex<double>(4950));

#pragma omp parallel for reduction(+ : total) reduction(merge : table)
  for (int i = 0; i < 66; i++) {
    total += i;
    table.values[i / 2] += i % 2;
  }
  EXPECT_EQUAL(66 * 65 / 2, total);
  for (int i = 0; i < 33; i++)
    EXPECT_EQUAL(1, table.values[i]);
  return checkResult();
}
