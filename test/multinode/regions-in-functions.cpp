// Regions in functions, member functions, templates and lambdas, called from loops and by
// recursion, with the caller's variables by reference; worksharing in functions that are called
// from a region.
#include "report.h"
#include <cstddef>
#include <omp.h>
#include <vector>

namespace {

class Accumulator {
public:
  explicit Accumulator(int length) : values(static_cast<std::size_t>(length)) {}
  void add(int by) {
#pragma omp parallel for
    for (int i = 0; i < static_cast<int>(values.size()); i++)
      values[static_cast<std::size_t>(i)] += by;
    calls++;
  }
  long total() const {
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < static_cast<int>(values.size()); i++)
      sum += values[static_cast<std::size_t>(i)];
    return sum;
  }
  std::vector<long> values;
  int calls = 0;
};

template <typename T> void scale(T *data, int length, T factor) {
#pragma omp parallel for schedule(static, 4)
  for (int i = 0; i < length; i++)
    data[i] *= factor;
}

void orphaned(std::vector<int> &data, int by) { // binds to the caller's region
#pragma omp for
  for (int i = 0; i < static_cast<int>(data.size()); i++)
    data[static_cast<std::size_t>(i)] += by;
}

int descend(int depth, int &sum) {
  int below = 0;
#pragma omp parallel
  {
#pragma omp critical(descend)
    sum += depth;
#pragma omp single
    below = omp_get_num_threads();
  }
  return depth == 0 ? below : descend(depth - 1, sum);
}

} // namespace

int main() {
  Accumulator accumulator(123);
  for (int k = 1; k <= 10; k++) {
    accumulator.add(k);
    expectInteger("total", k, 123L * k * (k + 1) / 2, accumulator.total());
  }
  expectInteger("calls", 0, 10, accumulator.calls);

  double reals[50];
  float floats[50];
  for (int i = 0; i < 50; i++) {
    reals[i] = i;
    floats[i] = 1;
  }
  for (int k = 0; k < 5; k++) {
    scale(reals, 50, 2.0);
    scale(floats, 50, 0.5f);
  }
  for (int i = 0; i < 50; i++) {
    expectReal("template of double", i, 32.0 * i, reals[i]);
    expectReal("template of float", i, 1.0 / 32, floats[i]);
  }

  std::vector<int> data(77, 1);
  const auto region = [&data](int by) {
#pragma omp parallel
    {
      orphaned(data, by);
      orphaned(data, 2 * by);
    }
  };
  for (int k = 0; k < 6; k++)
    region(k);
  for (int value : data)
    expectInteger("lambda", 0, 46, value);

  int sum = 0;
  const int team = descend(7, sum);
  expectInteger("recursion", 0, 28 * team, sum);
  return finish();
}
