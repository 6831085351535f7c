// RUN: %build-cpp
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Reductions of containers, of which the combiner reads the other's memory: vectors and
// strings, declared with initialisers, over loops and regions.
#include "check.h"
#include <algorithm>
#include <omp.h>
#include <string>
#include <vector>

using Numbers = std::vector<int>;
#pragma omp declare reduction(append : Numbers : omp_out.insert(omp_out.end(), omp_in.begin(), omp_in.end()))
#pragma omp declare reduction(append : std::string : omp_out += omp_in)
#pragma omp declare reduction(elementwise : Numbers : std::transform(omp_out.begin(), omp_out.end(), omp_in.begin(), omp_out.begin(), std::plus<int>())) initializer(omp_priv = Numbers(omp_orig.size(), 0))
int main() {
  Numbers all{-1}, sums(20, 100);
  std::string text = "start of something long enough:";
#pragma omp parallel for reduction(append : all, text) reduction(elementwise : sums)
  for (int i = 0; i < 200; i++) {
    all.push_back(i);
    text += char('a' + i % 26);
    sums[i % 20] += i;
  }
  EXPECT_EQUAL(201, all.size());
  std::sort(all.begin(), all.end());
  for (int i = 0; i < 201; i++)
    EXPECT_EQUAL(i - 1, all[i]);
  EXPECT_EQUAL(31 + 200, text.size());
  for (int i = 0; i < 26; i++)
    EXPECT(std::count(text.begin() + 31, text.end(), char('a' + i)) == 7 + (i < 18));
  for (int i = 0; i < 20; i++)
    EXPECT_EQUAL(100 + 10 * i + 900, sums[i]);

  int wrong = 0;
  Numbers numbers;
#pragma omp parallel reduction(+ : wrong)
  for (int round = 1; round <= 5; round++) {
#pragma omp for reduction(append : numbers) schedule(dynamic, 3)
    for (int i = 0; i < 40; i++)
      numbers.push_back(i);
    long sum = 0;
    for (int x : numbers)
      sum += x;
    wrong += numbers.size() != std::size_t(40 * round) || sum != 780 * round;
#pragma omp barrier
  }
  EXPECT_EQUAL(0, wrong);
  return checkResult();
}
