// RUN: %build-cpp
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Worksharing loops over iterators: of vectors, deques and arrays, reversed, own ones, range-based for,
// collapsed; with every schedule.
#include "check.h"
#include <array>
#include <deque>
#include <iterator>
#include <omp.h>
#include <string>
#include <vector>

// The numbers from first on, in steps.
class Steps {
public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = long;
  using difference_type = long;
  using pointer = const long *;
  using reference = long;
  explicit Steps(long v = 0) : value(v) {}
  long operator*() const { return value * 3; }
  Steps &operator++() { return ++value, *this; }
  Steps &operator--() { return --value, *this; }
  Steps operator++(int) { return Steps(value++); }
  Steps &operator+=(long n) { return value += n, *this; }
  Steps &operator-=(long n) { return value -= n, *this; }
  friend Steps operator+(Steps a, long n) { return Steps(a.value + n); }
  friend Steps operator-(Steps a, long n) { return Steps(a.value - n); }
  friend long operator-(Steps a, Steps b) { return a.value - b.value; }
  friend bool operator<(Steps a, Steps b) { return a.value < b.value; }
  friend bool operator>(Steps a, Steps b) { return a.value > b.value; }
  friend bool operator<=(Steps a, Steps b) { return a.value <= b.value; }
  friend bool operator>=(Steps a, Steps b) { return a.value >= b.value; }
  friend bool operator==(Steps a, Steps b) { return a.value == b.value; }
  friend bool operator!=(Steps a, Steps b) { return a.value != b.value; }

private:
  long value;
};
struct Range {
  long n;
  Steps begin() const { return Steps(0); }
  Steps end() const { return Steps(n); }
};

int main() {
  std::vector<int> vector(200);
  std::deque<long> deque(300);
  std::array<double, 50> array{};
  for (int i = 0; i < 200; i++)
    vector[i] = i;
  for (int i = 0; i < 300; i++)
    deque[i] = 2 * i;
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (auto i = vector.begin(); i != vector.end(); ++i)
    sum += *i;
  EXPECT_EQUAL(199 * 100, sum);
  sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 7)
  for (auto i = deque.cbegin(); i < deque.cend(); i += 3)
    sum += *i;
  EXPECT_EQUAL(99 * 300, sum);
  sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(guided)
  for (auto i = vector.rbegin(); i < vector.rend(); i++)
    sum += *i * (i - vector.rbegin());
  long wanted = 0;
  for (int i = 0; i < 200; i++)
    wanted += (199 - i) * i;
  EXPECT_EQUAL(wanted, sum);
  sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static, 3)
  for (auto i = vector.end() - 1; i >= vector.begin() + 10; i -= 10)
    sum += *i;
  wanted = 0;
  for (int i = 199; i >= 10; i -= 10)
    wanted += i;
  EXPECT_EQUAL(wanted, sum);
#pragma omp parallel for
  for (double &d : array)
    d = &d - array.data();
#pragma omp parallel for schedule(dynamic)
  for (auto &value : deque)
    value++;
  for (int i = 0; i < 300; i++)
    EXPECT_EQUAL(2 * i + 1, deque[i]);
  for (int i = 0; i < 50; i++)
    EXPECT(array[i] == i);
  sum = 0;
#pragma omp parallel for reduction(+ : sum) collapse(2)
  for (int a : vector)
    for (double d : array)
      sum += a + (long)d;
  EXPECT_EQUAL(199 * 100 * 50 + 49 * 25 * 200, sum);
  sum = 0;
#pragma omp parallel
  {
#pragma omp for reduction(+ : sum) schedule(dynamic, 2) nowait
    for (Steps i(5); i < Steps(25); ++i)
      sum += *i;
#pragma omp for reduction(+ : sum)
    for (long x : Range{10})
      sum += x;
  }
  EXPECT_EQUAL(3 * (24 * 25 / 2 - 10) + 135, sum);
  Steps last;
#pragma omp parallel for lastprivate(last) schedule(monotonic : dynamic)
  for (Steps i = Steps(40); i > Steps(3); i -= 4)
    last = i;
  EXPECT_EQUAL(12, *last);
  std::vector<std::string> words(60);
#pragma omp parallel for schedule(static, 1)
  for (auto i = words.begin(); i < words.end(); ++i)
    i->assign(20 + (i - words.begin()), 'w');
  std::size_t letters = 0;
#pragma omp parallel for reduction(+ : letters)
  for (const auto &word : words)
    letters += word.size();
  EXPECT_EQUAL(20 * 60 + 59 * 30, letters);
  return checkResult();
}
