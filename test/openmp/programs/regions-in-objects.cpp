// RUN: %build-cpp
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Regions in lambdas, templates, member functions, constructors, destructors and operators; members as
// shared and private variables; captures by value and by reference; exceptions inside regions.
#include "check.h"
#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <omp.h>
#include <stdexcept>
#include <vector>

static int destroyed;

class Field {
public:
  explicit Field(int n) : size(n), data(new double[n]) {
#pragma omp parallel for
    for (int i = 0; i < size; i++)
      data[i] = i;
  }
  virtual ~Field() {
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < size; i++)
      sum += data[i] >= 0;
    destroyed += sum;
    delete[] data;
  }
  double sum() const {
    double result = 0;
#pragma omp parallel for reduction(+ : result) schedule(dynamic, 13)
    for (int i = 0; i < size; i++)
      result += value(i);
    return result;
  }
  Field &operator*=(double factor) {
#pragma omp parallel
    {
#pragma omp for nowait
      for (int i = 0; i < size; i++)
        this->data[i] *= factor;
#pragma omp atomic
      changes++;
    }
    return *this;
  }
  int countMembers() {
    int wrong = 0;
    scratch = 5, offset = 3;
#pragma omp parallel private(scratch) firstprivate(offset) reduction(+ : wrong)
    {
      scratch = omp_get_thread_num();
      offset += scratch;
#pragma omp barrier
      wrong += scratch != omp_get_thread_num() || offset != 3 + scratch;
    }
#pragma omp parallel for lastprivate(offset) reduction(+ : total)
    for (int i = 0; i < 10; i++) {
      offset = i;
      total += i;
    }
    return wrong + (scratch != 5) + (offset != 9);
  }
  virtual double value(int i) const { return data[i]; }
  int size, changes = 0, total = 0;
  double *data;

private:
  int scratch, offset;
};
struct Doubled : Field {
  using Field::Field;
  double value(int i) const override { return 2 * data[i]; }
};

template <class T, class F> static std::vector<T> mapped(const std::vector<T> &in, F function) {
  std::vector<T> out(in.size());
#pragma omp parallel for
  for (std::size_t i = 0; i < in.size(); i++)
    out[i] = function(in[i]);
  return out;
}
template <int Threads> struct Team {
  static int size() {
    int n = 0;
#pragma omp parallel num_threads(Threads) reduction(+ : n)
    n++;
    return n;
  }
};
template <class Iterator> static long iterate(Iterator begin, Iterator end) {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static, 4)
  for (Iterator i = begin; i < end; ++i)
    sum += *i;
  return sum;
}

int main() {
  {
    Field field(300);
    EXPECT(field.sum() == 300 * 299 / 2);
    field *= 2;
    EXPECT(field.sum() == 300 * 299);
    EXPECT_EQUAL(0, field.countMembers());
    EXPECT_EQUAL(45, field.total);
    std::unique_ptr<Field> doubled = std::make_unique<Doubled>(100);
    EXPECT(doubled->sum() == 9900);
  }
  EXPECT_EQUAL(400, destroyed);

  std::vector<long> numbers(500);
  std::iota(numbers.begin(), numbers.end(), 0);
  int factor = 3;
  auto tripled = mapped(numbers, [&](long x) { return factor * x; });
  EXPECT_EQUAL(3 * 500 * 499 / 2, iterate(tripled.begin(), tripled.end()));
  EXPECT_EQUAL(500 * 499 / 2, iterate(numbers.data(), numbers.data() + 500));
  EXPECT_EQUAL(2, Team<2>::size());
  EXPECT_EQUAL(5, Team<5>::size());

  int count = 0;
  auto byReference = [&count](int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
      count++;
    }
  };
  auto byValue = [count, &numbers](int n) mutable {
#pragma omp parallel for reduction(+ : count)
    for (int i = 0; i < n; i++)
      count += numbers[i] < 100;
    return count;
  };
  byReference(50);
  EXPECT_EQUAL(50, count);
  EXPECT_EQUAL(100, byValue(200));
  std::function<int(int)> recursive = [&](int n) -> int {
    if (n == 0)
      return 1;
    int sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
    for (int i = 0; i < 2; i++)
      sum += recursive(n - 1);
    return sum;
  };
  EXPECT_EQUAL(8, recursive(3));

  int caught = 0;
#pragma omp parallel for reduction(+ : caught)
  for (int i = 0; i < 40; i++) {
    try {
      if (i % 4 == 0)
        throw std::runtime_error("odd " + std::to_string(i));
      if (i % 4 == 1)
        numbers.at(1000 + i);
    } catch (const std::out_of_range &) {
      caught += 100;
    } catch (const std::exception &e) {
      caught += e.what()[0] == 'o';
    }
  }
  EXPECT_EQUAL(1010, caught);
  int locals = 0;
#pragma omp parallel
  {
    std::vector<int> mine;
    auto add = [&mine](int x) { mine.push_back(x); };
#pragma omp for
    for (int i = 0; i < 100; i++)
      add(i);
    auto [low, high] = mine.empty() ? std::make_pair(0, 0) : std::make_pair(mine.front(), mine.back());
#pragma omp critical
    locals += low <= high ? (int)mine.size() : 1000;
  }
  EXPECT_EQUAL(100, locals);
  return checkResult();
}
