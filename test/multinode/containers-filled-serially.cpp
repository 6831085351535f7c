// Containers of the standard library are filled in serial code and read by all threads.
#include "report.h"
#include <array>
#include <deque>
#include <map>
#include <memory>
#include <omp.h>
#include <unordered_map>
#include <utility>
#include <vector>

int main() {
  constexpr int Length = 400;
  std::vector<int> numbers;
  std::vector<std::vector<double>> rows;
  std::map<int, long> squares;
  std::unordered_map<long, int> back;
  std::deque<short> queue;
  std::array<std::pair<char, int>, 26> letters;
  auto owned = std::make_unique<std::vector<bool>>();
  for (int i = 0; i < Length; i++) {
    numbers.push_back(i * 3);
    rows.emplace_back(static_cast<std::size_t>(i % 7 + 1), 0.5 * i);
    squares[i] = static_cast<long>(i) * i;
    back[static_cast<long>(i) * i] = i;
    queue.push_front(static_cast<short>(i));
    owned->push_back(i % 3 == 0);
  }
  for (int i = 0; i < 26; i++)
    letters[static_cast<std::size_t>(i)] = {static_cast<char>('a' + i), i};

  long sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static, 5)
  for (int i = 0; i < Length; i++) {
    const auto k = static_cast<std::size_t>(i);
    expectInteger("vector", i, 3 * i, numbers[k]);
    expectInteger("size of a row", i, i % 7 + 1, static_cast<long>(rows[k].size()));
    expectReal("row", i, 0.5 * i, rows[k].back());
    const auto found = squares.find(i);
    expectInteger("map", i, static_cast<long>(i) * i, found == squares.end() ? -1 : found->second);
    const auto inverse = back.find(static_cast<long>(i) * i);
    expectInteger("unordered map", i, i, inverse == back.end() ? -1 : inverse->second);
    expectInteger("deque", i, Length - 1 - i, queue[k]);
    expectInteger("vector of bool", i, i % 3 == 0, (*owned)[k]);
    expectInteger("array of pairs", i, 'a' + i % 26, letters[k % 26].first);
    numbers[k] += 1; // elements may be written, each by one thread
    rows[k][0] += 1;
    sum += numbers[k];
  }
  expectInteger("sum", 0, 3L * Length * (Length - 1) / 2 + Length, sum);
  for (int i = 0; i < Length; i++) {
    expectInteger("vector after", i, 3 * i + 1, numbers[static_cast<std::size_t>(i)]);
    expectReal("row after", i, 0.5 * i + 1, rows[static_cast<std::size_t>(i)][0]);
  }
  numbers.insert(numbers.begin(), -1);
  expectInteger("vector after insert", 1, 1, numbers[1]);
  return finish();
}
